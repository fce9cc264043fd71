import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** What the tab keeps of a login, until it is closed. */
export interface LoginRecord {
  readonly tokens?: StoredOAuthTokens;
  /** A token that somebody typed in. */
  readonly typedToken?: string;
  readonly client?: StoredOAuthClientInformation;
  /** The id of a client that somebody has registered. */
  readonly clientId?: string;
  readonly discovery?: OAuthDiscoveryState;
  /** What a login on its way is known by when it comes back. */
  readonly verifier?: string;
  readonly state?: string;
  readonly resourceMetadataUrl?: string;
  /** Whether the server of the page sends the requests of a login, since the authorization server lets no page do so. */
  readonly isRelayed?: boolean;
  /** What was open when it began. */
  readonly returnTo?: string;
}

/**
 * The record of an endpoint, in the storage of the tab and nowhere else. Tokens that are bound to a key live as long as that: in this page
 * alone.
 */
export class LoginRecords {
  readonly #key: string;
  #bound: StoredOAuthTokens | undefined;

  /** @param issuers who gives tokens for it: another server may be at the same address tomorrow, and must not get them */
  constructor(endpoint: URL, issuers: readonly string[]) {
    this.#key = ['nestjs-mcp explorer', endpoint.pathname, ...issuers].join(' ');
  }

  read(): LoginRecord {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.#key) ?? '{}') as LoginRecord;
      return this.#bound === undefined ? kept : { ...kept, tokens: this.#bound };
    } catch {
      return {};
    }
  }

  /** Changes members; `undefined` takes one away. */
  write(members: { readonly [Member in keyof LoginRecord]?: LoginRecord[Member] | undefined }): void {
    const { tokens, ...others } = { ...this.read(), ...members };
    this.#bound = isBound(tokens) ? tokens : undefined;
    const kept = this.#bound === undefined ? { ...others, tokens } : others;
    sessionStorage.setItem(this.#key, JSON.stringify(kept));
  }

  clear(): void {
    this.#bound = undefined;
    sessionStorage.removeItem(this.#key);
  }
}

/** Tells whether tokens are bound to a key. */
export function isBound(tokens: StoredOAuthTokens | undefined): tokens is StoredOAuthTokens {
  return tokens?.token_type.toLowerCase() === 'dpop';
}
