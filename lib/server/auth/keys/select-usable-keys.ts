import type { JWK } from 'jose';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonObject } from '../../../core/protocol/parse-json-object.js';
import { quoteUrl } from '../quote-value.js';
import { DocumentError } from './document.error.js';

/** No issuer has as many; what comes behind them is not looked at. */
const MOST_KEYS = 200;

/** What a public key consists of. A member that is there and no text makes a key malformed. */
const MEMBERS = ['kty', 'kid', 'alg', 'use', 'crv', 'x', 'y', 'n', 'e'] as const;

/** What makes a key more than public. */
const SECRET_MEMBERS = ['k', 'd', 'priv'] as const;

/**
 * Selects the keys of a set that signatures can be checked by: symmetric ones, ones for encryption and malformed ones are
 * left out.
 *
 * @throws {DocumentError} where it is no key set
 * @see RFC 7517 §5
 */
export function selectUsableKeys({ keys }: JsonObject, url: string): readonly JWK[] {
  if (!Array.isArray(keys)) throw new DocumentError(`${quoteUrl(url)} has no array "keys"`);
  return keys.slice(0, MOST_KEYS).flatMap((key: unknown) => readPublicKey(key) ?? []);
}

/** Lists the names of the keys of a set, usable or not. */
export function listNames({ keys }: JsonObject): readonly string[] {
  if (!Array.isArray(keys)) return [];
  const kids = keys.slice(0, MOST_KEYS).map((key: unknown) => (isObject(key) ? key['kid'] : undefined));
  return kids.filter((kid) => typeof kid === 'string');
}

function readPublicKey(key: unknown): JWK | undefined {
  if (!isObject(key) || SECRET_MEMBERS.some((member) => member in key)) return undefined;
  const members = MEMBERS.flatMap((member) => (key[member] === undefined ? [] : [[member, key[member]]]));
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
