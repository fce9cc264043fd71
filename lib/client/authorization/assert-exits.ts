import { isHostName } from '../../core/oauth/secure-url.js';
import { findUrl } from '../../core/oauth/find-url.js';
import type { ClientExits } from './warn-of-exits.js';

/**
 * Refuses exits that would have no effect, or another than is meant.
 *
 * @throws {TypeError} with the option that is wrong
 */
export function assertExits({ insecureHosts = [], assumeS256 = [] }: ClientExits): void {
  if (!Array.isArray(insecureHosts) || !insecureHosts.every(isHostName)) {
    throw new TypeError(
      'The "insecureHosts" must be an array of hosts such as "keycloak", without scheme, port and path',
    );
  }
  if (Array.isArray(assumeS256) && assumeS256.every((issuer) => findUrl(String(issuer)) !== undefined))
    return;
  throw new TypeError(
    'The "assumeS256" must be an array of issuers such as "https://login.example.com", as the server names them',
  );
}
