import type { JWK } from 'jose';
import { ClientAuthError, quoteValue } from '../errors.js';

/** The issuer and the server that credentials belong to. The credentials are never used with any other. */
export interface CredentialKey {
  /** The MCP server's URL. Two spellings are equal if a URL parser normalizes them to the same URL. */
  readonly serverUrl: string;
  /** The authorization server's issuer, exactly as in its metadata. */
  readonly issuer: string;
}

/** A client's registration at an authorization server. */
export interface StoredRegistration {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the client got its id: it was configured, is a metadata document URL, or was registered (RFC 7591). */
  readonly origin: 'given' | 'metadata-document' | 'dynamic';
  /** The client metadata that the authorization server returned, with its wire names. */
  readonly metadata?: { readonly [member: string]: unknown };
}

/** A grant's tokens. */
export interface StoredTokens {
  readonly accessToken: string;
  /** How the token is sent, in lower case: `bearer` or `dpop`. */
  readonly tokenType: string;
  readonly refreshToken?: string;
  /** When the access token was requested, in milliseconds since 1970. Its lifetime counts from then. Absent if unknown. */
  readonly askedAtMs?: number;
  /** When the access token expires, in milliseconds since 1970; absent if unknown. */
  readonly expiresAtMs?: number;
  /** The token's scopes that the authorization server reported. */
  readonly grantedScopes: readonly string[];
  /** All scopes requested so far: a step-up requests their union. */
  readonly requestedScopes: readonly string[];
  /** When the login for these tokens ended, in milliseconds since 1970; absent if unknown. */
  readonly loggedInAtMs?: number;
  /** Whether the server has yet to accept a token from that login. */
  readonly isUntaken?: boolean;
}

/** The key that tokens are bound to (RFC 9449). */
export interface StoredDpopKey {
  /** The public key's thumbprint (RFC 7638). */
  readonly thumbprint: string;
  /** The key pair itself; absent if the application stores it, identified by its thumbprint. */
  readonly privateJwk?: JWK;
}

/** Everything that is stored for one server and one issuer, as plain JSON. */
export interface StoredCredentials {
  readonly registration?: StoredRegistration;
  readonly tokens?: StoredTokens;
  readonly dpopKey?: StoredDpopKey;
}

/** How long to wait for the lock. */
export interface ExclusiveOptions {
  /** How long to wait for other work to finish, in milliseconds. @default 30_000 */
  readonly waitMs?: number;
  /** Ends the wait; work that has started is not interrupted. */
  readonly signal?: AbortSignal;
}

/**
 * Stores what a client needs after a restart: registrations, tokens and keys, per server and issuer.
 *
 * @see MCP 2026-07-28 basic/authorization
 */
export interface CredentialStore {
  /** Returns the stored credentials, or `undefined` if there are none. */
  get(key: CredentialKey): Promise<StoredCredentials | undefined>;

  /** Stores these credentials, and replaces earlier ones. */
  set(key: CredentialKey, credentials: StoredCredentials): Promise<void>;

  /** Deletes the stored credentials, if there are any. */
  delete(key: CredentialKey): Promise<void>;

  /** Returns the issuers with stored credentials for a server, for example to log out from each. */
  issuers(serverUrl: string): Promise<readonly string[]>;

  /**
   * Runs work under a lock on the key, which all processes that share the store respect. The work must reread the
   * credentials, because another process may have refreshed them. It must not call `exclusively` with the same key,
   * which would deadlock.
   *
   * @throws {CredentialStoreError} if the lock is not released in time
   */
  exclusively<Result>(
    key: CredentialKey,
    work: () => Promise<Result>,
    options?: ExclusiveOptions,
  ): Promise<Result>;
}

/** Why a store failed. */
export type CredentialStoreErrorCode =
  'credential_store_unsafe' | 'credential_store_unavailable' | 'credential_store_busy';

/** Thrown if credentials cannot be stored, read or locked. Its message contains no secret. */
export class CredentialStoreError extends ClientAuthError {
  override readonly name = 'CredentialStoreError';

  constructor(
    readonly code: CredentialStoreErrorCode,
    /** The file or folder with the problem; absent if the store does not use files. */
    readonly path: string | undefined,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Other users could read the credentials, or could have written them. */
  static unsafe(path: string, problem: string, fix: string): CredentialStoreError {
    return new CredentialStoreError(
      'credential_store_unsafe',
      path,
      `${quoteValue(path)} ${problem}: ${fix}`,
    );
  }

  /** The file system reported an error. */
  static unavailable(path: string, cause: unknown): CredentialStoreError {
    const { code = 'unknown' } = cause as Error & { readonly code?: string };
    const message = `${quoteValue(path)} must be readable and writable, but accessing it failed with "${code}"`;
    return new CredentialStoreError('credential_store_unavailable', path, message, { cause });
  }

  /** Another process has locked the credentials for longer than the caller may wait. */
  static busy(waitMs: number, path?: string): CredentialStoreError {
    const where = path === undefined ? '' : ` (${quoteValue(path)})`;
    return new CredentialStoreError(
      'credential_store_busy',
      path,
      `Another process has been using these credentials for more than ${waitMs} ms: let it finish, then try again${where}`,
    );
  }
}
