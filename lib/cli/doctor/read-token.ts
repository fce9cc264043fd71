import { omitEmpty } from '../../core/oauth/omit-empty.js';
import { parseJsonObject, type JsonObject } from '../../core/protocol/parse-json-object.js';

/** Reads what a JWT says, without any check and without what it says by `null`; nothing if it is an opaque token. */
export function readToken(token: string): JsonObject | undefined {
  const [, payload, signature, ...others] = token.split('.');
  if (payload === undefined || signature === undefined || others.length > 0) return undefined;
  const claims = parseJsonObject(Buffer.from(payload, 'base64url').toString('utf8'));
  return claims && omitEmpty(claims);
}
