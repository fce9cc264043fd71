import { omitEmpty } from '../oauth/omit-empty.js';
import { decodeBase64 } from '../protocol/base64.js';
import { parseJsonObject, type JsonObject } from '../protocol/parse-json-object.js';

/** Decodes the claims of a JWT, without validation and without claims that are `null`; nothing for an opaque token. */
export function readToken(token: string): JsonObject | undefined {
  const [, payload, signature, ...others] = token.split('.');
  if (payload === undefined || signature === undefined || others.length > 0) return undefined;
  const claims = decode(payload);
  return claims && omitEmpty(claims);
}

function decode(payload: string): JsonObject | undefined {
  try {
    return parseJsonObject(decodeBase64(payload.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}
