import { computeExpiryMargin } from '../../../core/oauth/access-token.js';
import { isSameIssuer } from '../../../core/oauth/metadata.js';
import type { TokenResponse } from '../../../core/oauth/token-endpoint/request-token.js';
import type { CredentialStore, StoredCredentials, StoredTokens } from '../credentials/credential-store.js';
import { DpopKey, DpopProof } from '../dpop.js';
import type { Registrar } from '../registration/registrar.js';
import { OFFLINE_ACCESS } from './authorization-request.js';
import type { OAuthTokenSourceOptions } from './login-options.js';

/** Tokens that were just issued. */
interface IssuedTokens {
  readonly answer: TokenResponse;
  readonly askedAtMs: number;
  /** All scopes requested so far. */
  readonly requestedScopes: readonly string[];
  /** The tokens that they replace. */
  readonly before?: StoredTokens | undefined;
}

/** Builds the stored form of tokens. A refresh token is retained until another one replaces it. */
export function buildStoredTokens({
  answer,
  askedAtMs,
  requestedScopes,
  before,
}: IssuedTokens): StoredTokens {
  const { accessToken, tokenType, expiresInSeconds = Infinity, scopes } = answer;
  // Some servers use 0 for tokens that do not expire. If they were treated as expired, each call would require another
  // login.
  const lifetimeSeconds = expiresInSeconds === 0 ? Infinity : expiresInSeconds;
  // A huge lifetime may exceed what JSON can represent.
  const expiresAtMs = askedAtMs + lifetimeSeconds * 1000;
  const refreshToken = answer.refreshToken ?? before?.refreshToken;
  return {
    accessToken,
    tokenType,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(Number.isFinite(expiresAtMs) && { askedAtMs, expiresAtMs }),
    grantedScopes: scopes ?? before?.grantedScopes ?? requestedScopes,
    requestedScopes,
    ...(before?.loggedInAtMs !== undefined && { loggedInAtMs: before.loggedInAtMs }),
    ...(before?.isUntaken === true && { isUntaken: true }),
  };
}

/**
 * Returns whether an access token is valid long enough for a call. A token without expiry is valid until it is
 * refused. If the start of its lifetime is unknown, the lifetime is assumed to be long, so a short-lived token is
 * refreshed too early once.
 */
export function isFresh({ askedAtMs = -Infinity, expiresAtMs = Infinity }: StoredTokens): boolean {
  return Date.now() < expiresAtMs - computeExpiryMargin(expiresAtMs - askedAtMs);
}

/** Usable tokens. */
export interface AcquiredTokens {
  readonly tokens: StoredTokens;
  /** The proof sent with each call; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
}

/** Loads stored tokens with their key. Returns `undefined` if they were not requested with these scopes, or their key is missing. */
export async function reuseTokens(
  stored: StoredCredentials,
  scopes: readonly string[],
  proofs: ProofKeys,
): Promise<AcquiredTokens | undefined> {
  const { tokens } = stored;
  if (tokens === undefined || !scopes.every((scope) => tokens.requestedScopes.includes(scope))) {
    return undefined;
  }
  const proof = await proofs.find(stored);
  return tokens.tokenType === 'dpop' && proof === undefined ? undefined : { tokens, proof };
}

/** The tokens' store and client. */
interface LoadParts {
  readonly serverUrl: string;
  readonly options: OAuthTokenSourceOptions;
  readonly store: CredentialStore;
  readonly registrar: Registrar;
  readonly proofs: ProofKeys;
}

/** Tokens from an earlier login, and their issuer. */
interface LoadedTokens extends AcquiredTokens {
  readonly issuer: string;
}

/**
 * Finds tokens from an earlier login that can be sent before the server has named its issuer. They must be valid,
 * belong to this client, have all scopes that it always requests, and come from the only possible issuer.
 */
export async function recallTokens(parts: LoadParts): Promise<LoadedTokens | undefined> {
  const { serverUrl, options, store } = parts;
  const { issuer: configured, selectIssuer, ignoreIssuerSlash } = options;
  // `selectIssuer` chooses from the issuers that the server names.
  if (configured === undefined && selectIssuer !== undefined) return undefined;
  const issuers = await store.issuers(serverUrl);
  const meant = issuers.filter(
    (issuer) => configured === undefined || isSameIssuer(configured, issuer, ignoreIssuerSlash),
  );
  const found = await Promise.all(meant.map((issuer) => findTokens(parts, issuer)));
  const [only, ...others] = found.filter((tokens) => tokens !== undefined);
  return others.length === 0 ? only : undefined;
}

async function findTokens(
  { serverUrl, options, store, registrar, proofs }: LoadParts,
  issuer: string,
): Promise<LoadedTokens | undefined> {
  const stored = await store.get({ serverUrl, issuer });
  if (stored?.registration === undefined || !registrar.isOfClient(stored.registration)) return undefined;
  const scopes = (options.scopes ?? []).filter((scope) => scope !== OFFLINE_ACCESS);
  const found = await reuseTokens(stored, scopes, proofs);
  return found !== undefined && isFresh(found.tokens) ? { ...found, issuer } : undefined;
}

/** Finds the key of bound tokens: the configured one, or one that is stored with the tokens. */
export class ProofKeys {
  /** The proofs by key thumbprint; each remembers its servers' nonces. */
  readonly #proofs = new Map<string, DpopProof>();

  /** @param setting a key, or whether to use one; `undefined` leaves that to the server */
  constructor(private readonly setting: DpopKey | boolean | undefined) {}

  /** Returns the proof for stored tokens, or `undefined` if they are not bound. */
  async find({ tokens, dpopKey }: StoredCredentials): Promise<DpopProof | undefined> {
    if (tokens?.tokenType !== 'dpop' || dpopKey === undefined || this.setting === false) return undefined;
    const { thumbprint, privateJwk } = dpopKey;
    const known = this.#proofs.get(thumbprint);
    if (known !== undefined) return known;
    if (typeof this.setting === 'object') {
      return this.setting.thumbprint === thumbprint ? this.#remember(this.setting) : undefined;
    }
    return privateJwk === undefined ? undefined : this.#remember(await DpopKey.import(privateJwk));
  }

  /**
   * Returns the proof for a login's tokens, or `undefined` for bearer tokens.
   *
   * @param isRequired whether the server requires bound tokens
   */
  async create(isRequired: boolean): Promise<DpopProof | undefined> {
    if (!(this.setting ?? isRequired)) return undefined;
    const [known] = this.#proofs.values();
    if (known !== undefined) return known;
    return this.#remember(
      typeof this.setting === 'object' ? this.setting : await DpopKey.generate({ isExtractable: true }),
    );
  }

  #remember(key: DpopKey): DpopProof {
    const proof = new DpopProof(key);
    this.#proofs.set(key.thumbprint, proof);
    return proof;
  }
}
