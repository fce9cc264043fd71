import { optionGroup } from '../../core/checks/option-group.js';
import type { TokenResponse } from '../../core/oauth/token-endpoint/request-token.js';
import { formatScope } from '../../core/oauth/scope.js';
import {
  assertClient,
  assertIssuerKnown,
  GRANT_ROWS,
  IDENTITY_ROWS,
  type ClientOptions,
  type GrantOptions,
  type OpenGrantOption,
  type OpenIdentityOption,
} from './grants/grant-options.js';
import { GrantTokenSource, type Grant } from './grants/grant-token-source.js';
import { requestGrant } from './grants/request-grant.js';
import { checked } from './source-options.js';

/** Options of `ClientCredentialsTokenSource`. */
export type ClientCredentialsOptions = GrantOptions & ClientOptions;

export const CLIENT_CREDENTIALS = optionGroup<ClientCredentialsOptions, OpenGrantOption | OpenIdentityOption>(
  {
    ...GRANT_ROWS,
    ...IDENTITY_ROWS,
  },
);

/**
 * Gets tokens for a program that acts on its own behalf, with a client secret or a private key.
 *
 * A secret is sent to the first authorization server that the MCP server names. Set `issuer` to prevent other servers
 * from receiving it. An assertion is valid only at the issuer that it names.
 *
 * @example
 * const tokenSource = new ClientCredentialsTokenSource({
 *   serverUrl: 'https://desk.example.com/mcp',
 *   issuer: 'https://login.example.com',
 *   clientId: 'night-job',
 *   privateKey: process.env['DESK_KEY'],
 * });
 *
 * @see RFC 6749 §4.4, RFC 7523 §2.2, MCP extension `io.modelcontextprotocol/oauth-client-credentials`
 */
export class ClientCredentialsTokenSource extends GrantTokenSource {
  readonly #options: ClientCredentialsOptions;

  /**
   * @throws {TypeError} if there is neither a secret nor a key, or if there are both
   * @throws {InsecureEndpointError} if a URL is insecure, so that others could read the data
   */
  constructor(options: ClientCredentialsOptions) {
    super(checked(CLIENT_CREDENTIALS, options));
    assertClient(options);
    if (options.clientSecret === undefined && options.privateKey === undefined) {
      throw new TypeError(
        'The "clientSecret" or a "privateKey" is required: programs have no other way to log in',
      );
    }
    if (options.privateKey !== undefined) assertIssuerKnown(options);
    this.#options = options;
  }

  protected request({ target, scopes, proof }: Grant): Promise<TokenResponse> {
    const parameters = { scope: formatScope(scopes), resource: target.resource };
    return requestGrant({
      target,
      client: this.#options,
      grantType: 'client_credentials',
      buildParameters: async () => parameters,
      proof,
    });
  }
}
