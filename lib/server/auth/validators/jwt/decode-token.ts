import type { JsonObject } from '../../../../core/protocol/parse-json-object.js';
import { parseExactObject } from '../../parse-exact-object.js';

/** A JSON object of a token. */
export type TokenPart = JsonObject;

/** What a token says, true or not. */
export interface DecodedToken {
  readonly header: TokenPart;
  readonly payload: TokenPart;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.[\w-]*$/;

/** Reads the claims of a JWT without checking its signature. Returns `undefined` if the text is not a JWT. */
export function decodeToken(token: string): DecodedToken | undefined {
  const [, encodedHeader, encodedPayload] = COMPACT.exec(token) ?? [];
  const header = decodePart(encodedHeader);
  const payload = decodePart(encodedPayload);
  return header && payload && { header, payload };
}

function decodePart(encoded = ''): TokenPart | undefined {
  return parseExactObject(Buffer.from(encoded, 'base64url'));
}
