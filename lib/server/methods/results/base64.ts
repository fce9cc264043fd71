import { HandlerResultError } from './handler-result.error.js';

/** Bytes as content has them, and what a data URL said of them. */
interface Base64 {
  readonly text: string;
  readonly mimeType?: string | undefined;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BASE64URL = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * Writes bytes in base64 as clients read it (RFC 4648 §4): from a data URL, base64url, lines of base64, or the bytes themselves. The
 * time is linear in the length.
 *
 * @param path the member that has them, for errors
 * @throws {HandlerResultError} if they have no single meaning
 */
export function takeBase64(value: unknown, path: string): Base64 {
  if (typeof value !== 'string') return { text: takeBytes(value, path) };
  if (isBase64(value)) return { text: value };
  const found = value.startsWith('data:') ? readDataUrl(value) : { text: repair(value) };
  if (found?.text !== undefined) return { text: found.text, mimeType: found.mimeType };
  throw new HandlerResultError(
    `The member "${path}" is not base64: give Buffer.from(bytes).toString('base64')`,
  );
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

function takeBytes(value: unknown, path: string): string {
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
  throw new HandlerResultError(
    `The member "${path}" must be bytes in base64: give Buffer.from(bytes).toString('base64')`,
  );
}

/** Reads base64 with line breaks, without padding, or in the alphabet for URLs (RFC 4648 §5). */
function repair(text: string): string | undefined {
  const joined = text.trim().replaceAll(/[ \t]*[\r\n]+[ \t]*/g, '');
  if (!BASE64URL.test(joined)) return undefined;
  const bare = joined
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  return bare.length % 4 === 1 ? undefined : bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
}

/** Reads a data URL (RFC 2397). */
function readDataUrl(
  url: string,
): { readonly text: string | undefined; readonly mimeType?: string } | undefined {
  const comma = url.indexOf(',');
  if (comma === -1) return undefined;
  const head = url.slice('data:'.length, comma);
  const isEncoded = /;base64$/i.test(head);
  const mimeType = head.replace(/;base64$/i, '');
  const body = url.slice(comma + 1);
  const text = isEncoded ? repair(body) : readPercentEncoded(body);
  return { text, ...(mimeType !== '' && !mimeType.startsWith(';') && { mimeType }) };
}

function readPercentEncoded(body: string): string | undefined {
  if (/%(?![\dA-Fa-f]{2})|[\uD800-\uDFFF]/u.test(body)) return undefined;
  const bytes = body.replaceAll(/[^\0-\x7F]+/g, encodeURIComponent).match(/%[\dA-Fa-f]{2}|[\s\S]/g) ?? [];
  const codes = bytes.map((byte) =>
    byte.length === 3 ? Number.parseInt(byte.slice(1), 16) : byte.charCodeAt(0),
  );
  return Buffer.from(codes).toString('base64');
}
