import type { CryptoKey } from 'jose';
import { KeySet, type KeyHint, type KeySetOptions } from '../../../lib/server/auth/keys/key-set.js';
import type { IssuerKey } from '../../support/authorization/issuer-key.js';
import type { TestIssuer } from '../../support/authorization/issuer.js';

export const JWKS = {
  cooldownMs: 30_000,
  maxAgeMs: 600_000,
  maxStaleMs: 86_400_000,
  timeoutMs: 2_000,
  prefetch: false,
};

interface Given extends Partial<Omit<KeySetOptions, 'jwks'>> {
  readonly jwks?: Partial<typeof JWKS>;
}

/** Creates the key set of an issuer, whose URL is known. */
export function createKeySet(issuer: TestIssuer, { jwks, ...given }: Given = {}): KeySet {
  return new KeySet({
    issuer: issuer.url,
    jwksUrl: issuer.jwksUrl,
    ...given,
    jwks: { ...JWKS, ...jwks },
  });
}

/** What a token says that a key signed. */
export function hintOf({ algorithm, kid }: IssuerKey): KeyHint {
  return { alg: algorithm, kid };
}

/** Gives what a search finds, or the error that it ends with. */
export function outcomeOf(found: Promise<readonly CryptoKey[]>): Promise<readonly CryptoKey[] | Error> {
  return found.catch((error: Error) => error);
}
