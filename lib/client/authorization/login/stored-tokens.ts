import { computeEndMargin } from '../../../core/oauth/end-margin.js';
import { isSameIssuer } from '../../../core/oauth/same-issuer.js';
import type { TokenAnswer } from '../../../core/oauth/token-endpoint/request-token.js';
import type { CredentialStore, StoredCredentials, StoredTokens } from '../credentials/credential-store.js';
import { DpopKey, DpopProof } from '../dpop.js';
import type { Registrar } from '../registration/registrar.js';
import { OFFLINE_ACCESS } from './authorization-request.js';
import type { OAuthTokenSourceOptions } from './login-options.js';

/** Tokens that were given just now. */
interface GivenTokens {
  readonly answer: TokenAnswer;
  readonly askedAtMs: number;
  /** Every scope that was asked for until now. */
  readonly requestedScopes: readonly string[];
  /** The tokens that were traded in for them. */
  readonly before?: StoredTokens | undefined;
}

/** Builds what is kept of tokens. A refresh token lasts until another one takes its place. */
export function buildStoredTokens({ answer, askedAtMs, requestedScopes, before }: GivenTokens): StoredTokens {
  const { accessToken, tokenType, expiresInSeconds = Infinity, scopes } = answer;
  // With 0, some say that a token has no end. If it had ended already, each call would take another login.
  const lifetimeSeconds = expiresInSeconds === 0 ? Infinity : expiresInSeconds;
  // What is said to last for ever need not be a number that a file can hold.
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
 * Tells whether an access token lasts for a call; one without an end does until it is refused. If the beginning of its life
 * is unknown, it counts as a long one. A token that ends soon then costs one renewal, after which the beginning is known.
 */
export function isFresh({ askedAtMs = -Infinity, expiresAtMs = Infinity }: StoredTokens): boolean {
  return Date.now() < expiresAtMs - computeEndMargin(expiresAtMs - askedAtMs);
}

/** Tokens at hand. */
export interface AcquiredTokens {
  readonly tokens: StoredTokens;
  /** What goes with each call; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
}

/** Takes up tokens that are kept, with their key. Returns `undefined` if they were not asked for with scopes, or their key is gone. */
export async function takeUpTokens(
  kept: StoredCredentials,
  scopes: readonly string[],
  proofs: ProofKeys,
): Promise<AcquiredTokens | undefined> {
  const { tokens } = kept;
  if (tokens === undefined || !scopes.every((scope) => tokens.requestedScopes.includes(scope))) {
    return undefined;
  }
  const proof = await proofs.find(kept);
  return tokens.tokenType === 'dpop' && proof === undefined ? undefined : { tokens, proof };
}

/** The store of the tokens, and their owner. */
interface RecallParts {
  readonly serverUrl: string;
  readonly options: OAuthTokenSourceOptions;
  readonly store: CredentialStore;
  readonly registrar: Registrar;
  readonly proofs: ProofKeys;
}

/** Tokens of an earlier login, and who gave them. */
interface RecalledTokens extends AcquiredTokens {
  readonly issuer: string;
}

/**
 * Finds the tokens of an earlier login that can be sent before the server has named its issuer. They must be valid, be of
 * this client, have all scopes that it always asks for, and leave no doubt about the issuer.
 */
export async function recallTokens(parts: RecallParts): Promise<RecalledTokens | undefined> {
  const { serverUrl, options, store } = parts;
  const { issuer: configured, selectIssuer, ignoreIssuerSlash } = options;
  // The selection is made among the issuers that the server names.
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
  { serverUrl, options, store, registrar, proofs }: RecallParts,
  issuer: string,
): Promise<RecalledTokens | undefined> {
  const kept = await store.get({ serverUrl, issuer });
  if (kept?.registration === undefined || !registrar.isOfClient(kept.registration)) return undefined;
  const scopes = (options.scopes ?? []).filter((scope) => scope !== OFFLINE_ACCESS);
  const found = await takeUpTokens(kept, scopes, proofs);
  return found !== undefined && isFresh(found.tokens) ? { ...found, issuer } : undefined;
}

/** Knows the key of bound tokens: a given one, or one that is stored with them. */
export class ProofKeys {
  /** The proofs by the thumbprint of their keys: each remembers the nonces of its servers. */
  readonly #proofs = new Map<string, DpopProof>();

  /** @param setting a key, or whether there is to be one; `undefined` leaves that to the server */
  constructor(private readonly setting: DpopKey | boolean | undefined) {}

  /** Returns what proves that kept tokens are ours, or `undefined` if they are not bound. */
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
   * Gives what the tokens of a login are to be bound to; nothing for bearer tokens.
   *
   * @param isRequired whether the server takes no others
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
