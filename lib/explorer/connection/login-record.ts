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
  /** What was open when it began. */
  readonly returnTo?: string;
}

/** The record of an endpoint, in the storage of the tab and nowhere else. */
export class LoginRecords {
  readonly #key: string;

  /** @param issuers who gives tokens for it: another server may be at the same address tomorrow, and must not get them */
  constructor(endpoint: URL, issuers: readonly string[]) {
    this.#key = ['nestjs-mcp explorer', endpoint.pathname, ...issuers].join(' ');
  }

  read(): LoginRecord {
    try {
      return JSON.parse(sessionStorage.getItem(this.#key) ?? '{}') as LoginRecord;
    } catch {
      return {};
    }
  }

  /** Changes members; `undefined` takes one away. */
  write(members: { readonly [Member in keyof LoginRecord]?: LoginRecord[Member] | undefined }): void {
    sessionStorage.setItem(this.#key, JSON.stringify({ ...this.read(), ...members }));
  }

  clear(): void {
    sessionStorage.removeItem(this.#key);
  }
}
