import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
import { AddressGuard, type GuardSettings } from '../http/address-guard.js';
import { ENDPOINT_MEMBERS } from './endpoints.js';

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
  for (const member of ENDPOINT_MEMBERS) {
    const url = metadata[member];
    if (url !== undefined) await guard.assertInReach(url, settings.signal);
  }
}
