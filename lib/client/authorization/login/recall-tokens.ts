import { isSameIssuer } from '../../../core/oauth/same-issuer.js';
import type { CredentialStore } from '../credentials/credential-store.interface.js';
import type { Registrar } from '../registration/registrar.js';
import { takeUpTokens, type AcquiredTokens } from './acquired-tokens.js';
import { isFresh } from './kept-tokens.js';
import type { OAuthTokenSourceOptions } from './login-options.js';
import type { ProofKeys } from './proof-keys.js';
import { OFFLINE_ACCESS } from './select-scopes.js';

/** The store of the tokens, and their owner. */
export interface RecallParts {
  readonly serverUrl: string;
  readonly options: OAuthTokenSourceOptions;
  readonly store: CredentialStore;
  readonly registrar: Registrar;
  readonly proofs: ProofKeys;
}

/** Tokens of an earlier login, and who gave them. */
export interface RecalledTokens extends AcquiredTokens {
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
