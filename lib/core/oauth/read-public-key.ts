import type { JWK } from 'jose';
import { omitEmpty } from './omit-empty.js';

/** A public key's properties. A property that is present but not a string makes the key malformed. */
const MEMBERS = ['kty', 'kid', 'alg', 'use', 'crv', 'x', 'y', 'n', 'e'] as const;

/** The properties of a private or symmetric key. */
const SECRET_MEMBERS = ['k', 'd', 'priv'] as const;

/**
 * Reads a key that can verify signatures. Returns `undefined` for symmetric, private, encryption and malformed keys.
 * Some serializers write all possible properties, most of them as `null`.
 *
 * @see RFC 7517 §4
 */
export function readPublicKey(given: unknown): JWK | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const { kid } = given as { readonly kid?: unknown };
  // An empty `kid` is a valid name that a token may use too.
  const key: { readonly [member: string]: unknown } = {
    ...omitEmpty({ ...given }),
    ...(kid === '' && { kid }),
  };
  if (SECRET_MEMBERS.some((member) => member in key)) return undefined;
  const members = MEMBERS.flatMap((member) => (member in key ? [[member, key[member]]] : []));
  if (members.some(([, value]) => typeof value !== 'string')) return undefined;
  const { key_ops: operations } = key;
  if (operations !== undefined && !isListOfTexts(operations)) return undefined;
  const { kty, ...found }: JWK = Object.fromEntries(members);
  if (kty === undefined || kty === 'oct' || (found.use ?? 'sig') !== 'sig') return undefined;
  return { kty, ...found, ...(operations && { key_ops: operations }) };
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
