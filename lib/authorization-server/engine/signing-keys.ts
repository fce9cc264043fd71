import { createECDH, createHash } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import type { Keyring } from '../../core/sealing/keyring.js';

/** How long a key is used for signing, in milliseconds. */
const KEY_PERIOD_MS = 30 * 86_400_000;

/** The probability that a derived number is not a valid P-256 key is 2^-32. */
const MOST_TRIES = 4;

/** Returns the number of the signing period that contains this time. */
export function findKeyPeriod(now: number): number {
  return Math.floor(now / KEY_PERIOD_MS);
}

/**
 * Derives the keys that sign access tokens from the server's secrets and the period, so all processes have identical
 * keys without storing any. The first key signs; the other keys are only published. Resource servers learn the next
 * period's key before it is used, and keys from the previous period and from other secrets stay until their last tokens
 * have expired.
 *
 * @see RFC 5869, RFC 7518 §6.2
 */
export function deriveSigningKeys(keyring: Keyring, period: number): readonly JWK[] {
  const derived = [period, period + 1, period - 1].map((one) => derivePeriod(keyring, one));
  const [current = [], ...others] = derived;
  return [...current, ...others.flat()];
}

function derivePeriod(keyring: Keyring, period: number): readonly JWK[] {
  const tries = Array.from({ length: MOST_TRIES }, (_, attempt) =>
    keyring.derive(`authorization-server signing ${period} ${attempt}`),
  );
  const [first = []] = tries;
  return first.map((_, index) => findKey(tries.flatMap((keys) => keys[index] ?? [])));
}

function findKey(candidates: readonly Buffer[]): JWK {
  for (const candidate of candidates) {
    const key = buildKey(candidate);
    if (key !== undefined) return key;
  }
  throw new RangeError('No signing key can be derived from the secret');
}

function buildKey(scalar: Buffer): JWK | undefined {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(scalar);
  } catch {
    return undefined;
  }
  const point = curve.getPublicKey();
  const coordinates = {
    crv: 'P-256',
    kty: 'EC',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  } as const;
  // The RFC 7638 thumbprint, which requires this property order.
  const kid = createHash('sha256').update(JSON.stringify(coordinates)).digest('base64url');
  return { ...coordinates, d: scalar.toString('base64url'), kid, alg: 'ES256', use: 'sig' };
}
