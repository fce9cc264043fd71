import type { UpstreamTokenStore } from './upstream/upstream-tokens.js';

/** The caller of a handler, as described by `context.auth`. */
interface Caller {
  readonly claims: { readonly iss?: string | undefined; readonly sub?: string | undefined } | undefined;
}

/**
 * Provides callers' identity provider tokens, for calls to the provider's APIs. They stay on this server: never return
 * one to a client.
 *
 * @example
 * class RepositoryTools { constructor(private readonly upstream: McpUpstreamTokens) {}
 *   async list({ auth }: McpContext) {
 *     return this.github.listRepositories(await this.upstream.find(auth));
 *   }
 * }
 */
export class McpUpstreamTokens {
  /** @param issuer the issuer whose callers have tokens here: the same subject at a different issuer is a different person */
  constructor(
    private readonly issuer: string,
    private readonly tokens: UpstreamTokenStore,
  ) {}

  /**
   * Returns a valid provider access token for a caller, refreshed if necessary. Returns `undefined` if the caller has
   * to log in again, or did not log in here.
   *
   * @throws {UpstreamError} if the provider cannot be reached, or refuses to refresh the token
   */
  async find({ claims }: Caller): Promise<string | undefined> {
    if (claims?.sub === undefined || claims.iss !== this.issuer) return undefined;
    return (await this.tokens.find(claims.sub))?.accessToken;
  }
}
