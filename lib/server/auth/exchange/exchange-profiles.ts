import { formatScope } from '../../../core/oauth/scope.js';
import type { TokenRequest } from '../../../core/oauth/token-endpoint/request-token.js';
import type { WantedToken } from '../../context/exchange.interface.js';
import type { TokenExchangeSettings } from '../../settings/auth/exchange-options.js';

/** An access token by its kind (RFC 8693 §3). */
export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** The grant for exchanging tokens, and its parameters. */
export interface ExchangeProfile {
  readonly grantType: string;
  /** @throws {TypeError} if the authorization server is out of reach for what is wanted */
  buildParameters(subjectToken: string, wanted: WantedToken): TokenRequest['parameters'];
}

/** @see RFC 8693 §2.1 */
const TOKEN_EXCHANGE: ExchangeProfile = {
  grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
  buildParameters: (subjectToken, { audience, resource, scopes = [] }) => ({
    subject_token: subjectToken,
    subject_token_type: ACCESS_TOKEN,
    requested_token_type: ACCESS_TOKEN,
    audience,
    resource,
    scope: formatScope(scopes),
  }),
};

/**
 * Entra ID knows an API by the scopes that are asked for, which begin with its Application ID URI.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-on-behalf-of-flow
 */
const ON_BEHALF_OF: ExchangeProfile = {
  grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  buildParameters: (subjectToken, { audience, resource, scopes = [] }) => ({
    assertion: subjectToken,
    requested_token_use: 'on_behalf_of',
    scope: formatScope(listFullScopes(selectApi(audience ?? resource), scopes)),
  }),
};

function selectApi(apis: WantedToken['audience'] = []): string | undefined {
  const [api, another] = [apis].flat();
  if (another === undefined) return api;
  throw new TypeError(
    'A token on behalf of a caller is for one API: name one by "audience", and exchange the token again for each other one',
  );
}

/** Everything that was consented to beforehand. */
const DEFAULT_SCOPE = '.default';

function listFullScopes(api: string | undefined, scopes: readonly string[]): readonly string[] {
  if (api === undefined) {
    if (scopes.length > 0) return scopes;
    throw new TypeError(
      'A token on behalf of a caller is for one API: name it by "audience", such as "api://invoices", or its scopes by their full names in "scopes"',
    );
  }
  const named = scopes.length === 0 ? [DEFAULT_SCOPE] : scopes;
  return named.map((scope) => (scope.startsWith(`${api}/`) ? scope : `${api}/${scope}`));
}

/** The profiles by their names. */
export const EXCHANGE_PROFILES: { readonly [name in TokenExchangeSettings['profile']]: ExchangeProfile } = {
  'token-exchange': TOKEN_EXCHANGE,
  'on-behalf-of': ON_BEHALF_OF,
};
