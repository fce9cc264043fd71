import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import { AddressGuard, type GuardSettings } from '../http/address-guard.js';

/** The endpoints of every login. What goes to others is checked when it is sent. */
const MEMBERS = ['authorization_endpoint', 'token_endpoint'] as const;

/**
 * Refuses endpoints that are closer to the client than the server: not only the client goes there, its browser does too.
 *
 * @throws {PrivateAddressError} for the first of them
 */
export async function assertEndpointsInReach(
  metadata: AuthorizationServerMetadata,
  settings: GuardSettings & { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const guard = new AddressGuard(settings);
  for (const member of MEMBERS) {
    const url = metadata[member];
    if (isSecureUrl(url)) await guard.assertInReach(url, settings.signal);
  }
}
