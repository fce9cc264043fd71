import type { JWK } from 'jose';
import { readPublicKey } from '../../../core/oauth/read-public-key.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonObject } from '../../../core/protocol/parse-json-object.js';
import { quoteUrl } from '../quote-value.js';
import { DocumentError } from './document.error.js';

/** No issuer has this many keys. Further keys are ignored. */
const MOST_KEYS = 200;

/**
 * Selects the keys of a set that can check signatures. Symmetric, encryption and malformed keys are left out.
 *
 * @throws {DocumentError} if it is no key set
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
