import { StreamableFile } from '@nestjs/common';
import { HandlerResultError } from './handler-result.error.js';

/** Bytes, at once or as a stream, with the media type that they bring. */
export interface Binary {
  readonly bytes: Uint8Array | AsyncIterable<unknown>;
  readonly mimeType?: string | undefined;
}

const TYPES = [Uint8Array, ArrayBuffer, Blob, StreamableFile];

/** Tells whether a value stands for bytes. */
export function isBinary(value: unknown): boolean {
  return TYPES.some((type) => value instanceof type) || isResponse(value);
}

/**
 * Reads the types for bytes of Node, the web platform and Nest. Returns `undefined` for any other value.
 *
 * @throws {HandlerResultError} when it is the `Response` of a request that failed
 */
export function findBinary(value: unknown): Binary | undefined {
  if (value instanceof Uint8Array) return { bytes: value };
  if (value instanceof ArrayBuffer) return { bytes: new Uint8Array(value) };
  if (value instanceof Blob) return { bytes: value.stream(), mimeType: value.type || undefined };
  if (value instanceof StreamableFile) return { bytes: value.getStream(), mimeType: value.options.type };
  if (isResponse(value)) return readResponse(value);
  return undefined;
}

/** Node loads the whole of its `fetch()` when the name `Response` is first read, so the name is read last. */
function isResponse(value: unknown): value is Response {
  const isNamedSo = Object.prototype.toString.call(value) === '[object Response]';
  return isNamedSo && value instanceof Response;
}

function readResponse({ ok, status, body, headers }: Response): Binary {
  if (!ok) throw new HandlerResultError(`The Response has the status ${status}: give one that succeeded`);
  return { bytes: body ?? new Uint8Array(), mimeType: headers.get('content-type') ?? undefined };
}
