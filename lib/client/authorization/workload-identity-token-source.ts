import { required } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import type { ClientIdentity } from '../../core/oauth/token-endpoint/client-identity.js';
import type { TokenResponse } from '../../core/oauth/token-endpoint/request-token.js';
import { formatScope } from '../../core/oauth/scope.js';
import {
  assertClient,
  assertIssuerKnown,
  GRANT_ROWS,
  IDENTITY_ROWS,
  type GrantOptions,
  type OpenGrantOption,
  type OpenIdentityOption,
} from './grants/grant-options.js';
import { checked, stringOrCallable } from './source-options.js';
import { GrantTokenSource, type Grant } from './grants/grant-token-source.js';
import { JWT_BEARER, requestGrant } from './grants/request-grant.js';

/** An assertion's audience and scopes. */
export interface AssertionRequest {
  /** The audience that it must name: the authorization server's issuer. */
  readonly audience: string;
  /** The token's resource. */
  readonly resource: string;
  readonly scopes: readonly string[];
}

/** Options of `WorkloadIdentityTokenSource`. */
export interface WorkloadIdentityOptions extends GrantOptions, ClientIdentity {
  /** The JWT that the platform issued to the workload, or a function that returns one for each request. */
  readonly assertion: string | ((request: AssertionRequest) => string | Promise<string>);
}

export const WORKLOAD_IDENTITY = optionGroup<WorkloadIdentityOptions, OpenGrantOption | OpenIdentityOption>({
  ...GRANT_ROWS,
  ...IDENTITY_ROWS,
  assertion: required(stringOrCallable),
});

/**
 * Gets tokens for a workload, in exchange for the JWT that its platform issued. The JWT is sent unchanged.
 *
 * @example
 * const tokenSource = new WorkloadIdentityTokenSource({
 *   serverUrl: 'https://desk.example.com/mcp',
 *   clientId: 'night-job',
 *   assertion: () => readFile('/var/run/secrets/tokens/desk', 'utf8'),
 * });
 *
 * @see RFC 7523 §2.1, MCP extension `io.modelcontextprotocol/auth/wif`
 */
export class WorkloadIdentityTokenSource extends GrantTokenSource {
  readonly #options: WorkloadIdentityOptions;

  /**
   * @throws {TypeError} if the client's identity is missing or contradictory
   * @throws {InsecureEndpointError} if a URL is not secure, so that others could read what is sent
   */
  constructor(options: WorkloadIdentityOptions) {
    super(checked(WORKLOAD_IDENTITY, options));
    assertClient(options);
    if (options.privateKey !== undefined || typeof options.assertion === 'function')
      assertIssuerKnown(options);
    this.#options = options;
  }

  protected request({ target, scopes, proof }: Grant): Promise<TokenResponse> {
    const { assertion } = this.#options;
    const { server, resource } = target;
    const wanted = { audience: server.issuer, resource, scopes };
    return requestGrant({
      target,
      client: this.#options,
      grantType: JWT_BEARER,
      buildParameters: async () => {
        const given = typeof assertion === 'string' ? assertion : await assertion(wanted);
        return { assertion: given.trim(), scope: formatScope(scopes), resource };
      },
      proof,
    });
  }
}
