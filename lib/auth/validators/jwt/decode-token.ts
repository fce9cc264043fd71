import { isUtf8 } from 'node:buffer';
import { isObject } from '../../../protocol/json-rpc.js';

/** A JSON object of a token. */
export type TokenPart = { readonly [name: string]: unknown };

/** What a token says, true or not. */
export interface DecodedToken {
  readonly header: TokenPart;
  readonly payload: TokenPart;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.[\w-]*$/;

/** Reads what a JWT says without checking who says it; gives nothing where it is no JWT. */
export function decodeToken(token: string): DecodedToken | undefined {
  const [, encodedHeader, encodedPayload] = COMPACT.exec(token) ?? [];
  const header = decodePart(encodedHeader);
  const payload = decodePart(encodedPayload);
  return header && payload && { header, payload };
}

/** Texts that differ in bytes that are no UTF-8 would become the same, so there are none of these. */
function decodePart(encoded = ''): TokenPart | undefined {
  const bytes = Buffer.from(encoded, 'base64url');
  const parsed = isUtf8(bytes) ? parseJson(bytes.toString()) : undefined;
  return isObject(parsed) ? parsed : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
