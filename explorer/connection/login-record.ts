import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** The login data that the tab stores until it is closed. */
export interface LoginRecord {
  readonly tokens?: StoredOAuthTokens;
  /** A token that the user entered. */
  readonly typedToken?: string;
  readonly client?: StoredOAuthClientInformation;
  /** The id of a registered client that the user entered. */
  readonly clientId?: string;
  readonly discovery?: OAuthDiscoveryState;
  /** The PKCE code verifier of a pending login. */
  readonly verifier?: string;
  readonly state?: string;
  readonly resourceMetadataUrl?: string;
  /**
   * Whether the page's server sends the login requests, because the authorization server does not allow cross-origin
   * requests.
   */
  readonly isRelayed?: boolean;
  /** The panel that was open when the login started. */
  readonly returnTo?: string;
}

/** An endpoint's record, stored only in the tab. Key-bound tokens are only in memory, like the key. */
export class LoginRecords {
  readonly #key: string;
  #bound: StoredOAuthTokens | undefined;

  /**
   * @param issuers the issuers of its tokens. Another server may later use the same address, and must not receive
   * them
   */
  constructor(endpoint: URL, issuers: readonly string[]) {
    this.#key = ['nestjs-mcp explorer', endpoint.pathname, ...issuers].join(' ');
  }

  read(): LoginRecord {
    try {
      const stored = JSON.parse(sessionStorage.getItem(this.#key) ?? '{}') as LoginRecord;
      return this.#bound === undefined ? stored : { ...stored, tokens: this.#bound };
    } catch {
      return {};
    }
  }

  /** Changes properties; `undefined` removes one. */
  write(members: { readonly [Member in keyof LoginRecord]?: LoginRecord[Member] | undefined }): void {
    const { tokens, ...others } = { ...this.read(), ...members };
    this.#bound = isBound(tokens) ? tokens : undefined;
    const stored = this.#bound === undefined ? { ...others, tokens } : others;
    sessionStorage.setItem(this.#key, JSON.stringify(stored));
  }

  clear(): void {
    this.#bound = undefined;
    sessionStorage.removeItem(this.#key);
  }
}

/** Returns whether tokens are bound to a key. */
export function isBound(tokens: StoredOAuthTokens | undefined): tokens is StoredOAuthTokens {
  return tokens?.token_type.toLowerCase() === 'dpop';
}
