import type {
  ClientAuthenticationMethod,
  ClientIdentity,
} from '../../../core/oauth/token-endpoint/client-identity.js';
import type { StoredRegistration } from '../credentials/credential-store.interface.js';

const METHODS: readonly unknown[] = ['client_secret_basic', 'client_secret_post', 'none'];

/** A client that was registered for one authentication method uses that. Others use a method from the metadata. */
export function identifyClient({
  clientId,
  clientSecret,
  metadata,
}: StoredRegistration): ClientIdentity & { readonly clientId: string } {
  const registered = metadata?.['token_endpoint_auth_method'];
  const isMeant = METHODS.includes(registered) && (registered === 'none' || clientSecret !== undefined);
  return {
    clientId,
    clientSecret,
    ...(isMeant && { authenticationMethod: registered as ClientAuthenticationMethod }),
  };
}
