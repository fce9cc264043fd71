import { isSameIssuer } from '../../../core/oauth/same-issuer.js';
import type { Authentication, AuthMethod } from '../../context/authentication.interface.js';
import type { TokenExchangeSettings } from '../../settings/auth-settings.js';
import { quoteValue } from '../quote-value.js';
import { UnexchangeableTokenError } from './unexchangeable-token.error.js';

/** The options for tokens that do not come from an authorization server. */
const FOREIGN: { readonly [Method in AuthMethod]?: string } = {
  bearer: 'auth.bearer',
  custom: 'auth.validator',
};

/**
 * Makes sure that a caller's token goes only to the authorization server that issued it, or to the endpoint that the
 * application names. For anybody else it is a secret that opens this server.
 *
 * @throws {UnexchangeableTokenError} if it has to stay here
 */
export function assertExchangeable(
  { method, claims: { iss } }: Authentication,
  { issuer, tokenEndpoint, ignoreIssuerSlash }: TokenExchangeSettings,
): void {
  const option = FOREIGN[method];
  if (option !== undefined) {
    throw new UnexchangeableTokenError(
      `the caller's is one of "${option}", expected one of "auth.jwt" or "auth.introspection": have callers of this tool bring a token of the authorization server`,
    );
  }
  if (tokenEndpoint !== undefined || iss === undefined) return;
  if (issuer !== undefined && isSameIssuer(issuer, iss, ignoreIssuerSlash)) return;
  throw new UnexchangeableTokenError(
    `the caller's has ${quoteValue(iss)} as "iss", and the endpoint is that of ${quoteValue(issuer)}: set "auth.exchange.tokenEndpoint" if tokens of both may be sent there`,
  );
}
