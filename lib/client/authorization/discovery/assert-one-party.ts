import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import { DiscoveryFailedError } from '../errors/discovery-failed.error.js';
import { quoteUrl } from '../errors/quote.js';

/**
 * Refuses metadata that would make people log in with one party and send the code to another. If answers carry `iss`, the
 * login itself shows whom the code is from.
 *
 * @throws {DiscoveryFailedError} if the place of the login belongs neither to the issuer nor to the token endpoint
 * @see RFC 9700 §4.4, RFC 9207
 */
export function assertOneParty(metadata: AuthorizationServerMetadata): void {
  const { issuer, authorization_endpoint: login, token_endpoint: token } = metadata;
  // Nobody is sent to a place that could be read along.
  if (!isSecureUrl(login) || metadata.authorization_response_iss_parameter_supported === true) return;
  const { origin } = new URL(login);
  const owners = [issuer, ...(token === undefined ? [] : [token])].map((url) => new URL(url).origin);
  if (owners.includes(origin)) return;
  const fault = `has logins at ${quoteUrl(login)}, which is neither where it is nor where codes would be sent`;
  throw new DiscoveryFailedError({ url: issuer, fault });
}
