import type { JWK } from 'jose';

/** The issuer and the server of credentials, which are used with no other. */
export interface CredentialKey {
  /** The URL of the MCP server; spellings that a URL parser makes the same are the same. */
  readonly serverUrl: string;
  /** The issuer of the authorization server, character by character as its metadata has it. */
  readonly issuer: string;
}

/** What a client is to an authorization server. */
export interface StoredRegistration {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the client came by its id: it was given, is the URL of a metadata document, or was registered (RFC 7591). */
  readonly origin: 'given' | 'metadata-document' | 'dynamic';
  /** The metadata of the client as the authorization server answered it, by its names on the wire. */
  readonly metadata?: { readonly [member: string]: unknown };
}

/** What a grant gave. */
export interface StoredTokens {
  readonly accessToken: string;
  /** How the token is sent, in lower case: `bearer` or `dpop`. */
  readonly tokenType: string;
  readonly refreshToken?: string;
  /** When the access token was asked for, in milliseconds since 1970: its life counts from there. Absent if that is not known. */
  readonly askedAtMs?: number;
  /** When the access token ends, in milliseconds since 1970; absent if that is not known. */
  readonly expiresAtMs?: number;
  /** The scopes that the token has, as far as the authorization server said. */
  readonly grantedScopes: readonly string[];
  /** Every scope that was asked for until now: a step-up asks for the union. */
  readonly requestedScopes: readonly string[];
  /** When their login ended, in milliseconds since 1970; absent if unknown. */
  readonly loggedInAtMs?: number;
  /** Whether the server has taken none of the tokens of that login. */
  readonly isUntaken?: boolean;
}

/** The key that tokens are bound to (RFC 9449). */
export interface StoredDpopKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly thumbprint: string;
  /** The key pair itself; absent if it is kept elsewhere and found by its thumbprint. */
  readonly privateJwk?: JWK;
}

/** All that is kept for one server and one issuer; plain JSON. */
export interface StoredCredentials {
  readonly registration?: StoredRegistration;
  readonly tokens?: StoredTokens;
  readonly dpopKey?: StoredDpopKey;
}

/** How long to wait for others. */
export interface ExclusiveOptions {
  /** How many milliseconds to wait until others are done. @default 30_000 */
  readonly waitMs?: number;
  /** Ends the waiting; work that has begun is not interrupted. */
  readonly signal?: AbortSignal;
}

/**
 * Keeps what a client must know at its next start: registrations, tokens and keys, per server and issuer.
 *
 * @see MCP 2026-07-28 basic/authorization
 */
export interface CredentialStore {
  /** Gives what is kept; nothing if there is nothing. */
  get(key: CredentialKey): Promise<StoredCredentials | undefined>;

  /** Keeps this, and replaces what was kept. */
  set(key: CredentialKey, credentials: StoredCredentials): Promise<void>;

  /** Forgets what is kept; does nothing if there is nothing. */
  delete(key: CredentialKey): Promise<void>;

  /** Names the issuers for which something is kept for a server, such as those to log out from. */
  issuers(serverUrl: string): Promise<readonly string[]>;

  /**
   * Does work while nobody else does theirs under the same key, in this process or another that shares the store. The
   * work reads again what is kept: somebody before may have refreshed it. It does not call `exclusively` with its own
   * key, which would wait for itself.
   *
   * @throws {CredentialStoreError} if others are not done in time
   */
  exclusively<Result>(
    key: CredentialKey,
    work: () => Promise<Result>,
    options?: ExclusiveOptions,
  ): Promise<Result>;
}
