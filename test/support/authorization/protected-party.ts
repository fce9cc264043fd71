import { json, Party, status } from './party.js';

/** Says what a token allows; nothing where it is no good. */
export type FindScopes = (token: string) => Promise<readonly string[] | undefined>;

/** A server that wants `desk:read` for each call, and `desk:write` below `/mcp/write`. */
export class ProtectedParty {
  /** Who gives its tokens. */
  issuer = '';
  /** Knows its tokens. */
  findScopes: FindScopes = async () => undefined;
  /** What challenges name as `scope` where there is no token. */
  firstScope: string | undefined = 'desk:read';
  /** What the metadata names as `scopes_supported`. */
  scopesSupported: readonly string[] | undefined = undefined;

  private constructor(readonly party: Party) {
    const place = '/.well-known/oauth-protected-resource/mcp';
    party.at(place, (response, seen) => {
      const { issuer, url, scopesSupported } = this;
      const metadata = { resource: url, authorization_servers: [issuer], scopes_supported: scopesSupported };
      json(metadata)(response, seen);
    });
    party.at('/mcp*', (response, seen) => {
      const [, token] = seen.headers.authorization?.split(' ') ?? [];
      const needed = seen.path.startsWith('/mcp/write') ? 'desk:write' : 'desk:read';
      void this.#judge(token, needed).then(({ code, challenge }) => {
        if (code === 200) return json({ token })(response, seen);
        const where = `resource_metadata="${party.origin}${place}"`;
        return status(code, { 'www-authenticate': `Bearer ${where}${challenge}` })(response, seen);
      });
    });
  }

  static async start(): Promise<ProtectedParty> {
    return new ProtectedParty(await Party.start());
  }

  get url(): string {
    return `${this.party.origin}/mcp`;
  }

  /** The tokens that calls brought along, in order; nothing where there was none. */
  get tokens(): readonly (string | undefined)[] {
    const calls = this.party.requests.filter(({ path }) => path.startsWith('/mcp'));
    return calls.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));
  }

  async #judge(
    token: string | undefined,
    needed: string,
  ): Promise<{ readonly code: number; readonly challenge: string }> {
    const scopes = token === undefined ? undefined : await this.findScopes(token);
    const first = this.firstScope === undefined ? '' : `, scope="${this.firstScope}"`;
    if (scopes === undefined) {
      return { code: 401, challenge: token === undefined ? first : `${first}, error="invalid_token"` };
    }
    if (scopes.includes(needed)) return { code: 200, challenge: '' };
    return { code: 403, challenge: `, error="insufficient_scope", scope="${needed}"` };
  }
}
