import type { StoredRegistration } from '../credentials/credential-store.interface.js';
import { isRegisteredFor } from './dynamic-registration.js';

/** Where a user can be sent back to. */
export interface RedirectUris {
  /** The same place for every issuer. */
  readonly redirectUri: string;
  /** The place of one issuer alone. @default none */
  readonly issuerRedirectUri?: string | undefined;
}

/** Selects where a client is sent back to: it said so itself if it registered, and somebody else did if its id was given. */
export function selectRedirectUri(
  registration: StoredRegistration,
  { redirectUri, issuerRedirectUri = redirectUri }: RedirectUris,
): string {
  if (registration.origin !== 'dynamic') return redirectUri;
  const isOfAll =
    isRegisteredFor(registration, redirectUri) && !isRegisteredFor(registration, issuerRedirectUri);
  return isOfAll ? redirectUri : issuerRedirectUri;
}
