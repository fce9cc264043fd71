import { isUtf8 } from 'node:buffer';
import { addAbortSignal, Readable } from 'node:stream';
import { isResourceContents, type ResourceContents } from '../../../core/protocol/content.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { ReadResourceResult } from '../../../core/protocol/results.js';
import { assertNotIterable, type Binary, findBinary, takeContents } from './content-blocks.js';
import { assertType } from './assert-type.js';
import { formatJson } from './format-json.js';
import { HandlerResultError } from './handler-result.error.js';

/** Facts about the resource whose contents are built. */
export interface ResourceSource {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  /** Bytes that a stream may give. */
  readonly maxBytes: number;
  /** Gives the signal at which a stream is read no further. */
  readonly getSignal: () => AbortSignal;
}

/**
 * Builds the contents of a resource from what its handler gave: text, bytes, a stream of either, contents, or a value that
 * becomes JSON. Bytes are a `Uint8Array`, `ArrayBuffer`, `Blob`, `Response` or `StreamableFile`. Nothing is given if the
 * handler gave nothing: the resource does not exist.
 *
 * @throws {HandlerResultError} if it cannot be sent
 */
export async function buildReadResult(
  value: unknown,
  source: ResourceSource,
): Promise<ReadResourceResult | undefined> {
  if (value === undefined || value === null) return undefined;
  if (isReadResult(value)) {
    assertType(value._meta, 'object', '_meta');
    const contents = value.contents.map((one, index) => takeContents(one, `contents[${index}]`));
    return contents.length === 0 ? undefined : { ...value, contents };
  }
  if (isMeantAsContents(value)) return { contents: [takeContents(value, '')] };
  if (Array.isArray(value) && value.length > 0 && value.every(isMeantAsContents)) {
    return { contents: value.map((one, index) => takeContents(one, `[${index}]`)) };
  }
  return { contents: [await buildContents(value, source)] };
}

async function buildContents(value: unknown, source: ResourceSource): Promise<ResourceContents> {
  const { uri, mimeType } = source;
  if (typeof value === 'string') return { uri, mimeType: mimeType ?? 'text/plain', text: value };
  const binary = findBinary(value) ?? (isStream(value) ? { bytes: value } : undefined);
  if (binary !== undefined) return buildFromBinary(binary, source);
  assertNotIterable(value, 'resource');
  return { uri, mimeType: mimeType ?? 'application/json', text: formatJson(value) };
}

async function buildFromBinary(
  { bytes, mimeType }: Binary,
  source: ResourceSource,
): Promise<ResourceContents> {
  const whole = bytes instanceof Uint8Array ? asBuffer(bytes) : await collect(bytes, source);
  return buildFromBytes(whole, { uri: source.uri, mimeType: source.mimeType ?? mimeType });
}

function buildFromBytes(
  bytes: Buffer,
  { uri, mimeType }: Pick<ResourceSource, 'uri' | 'mimeType'>,
): ResourceContents {
  const text = mimeType !== undefined && isTextual(mimeType) ? decode(bytes, mimeType) : undefined;
  if (mimeType !== undefined && text !== undefined) return { uri, mimeType, text };
  return {
    uri,
    mimeType: mimeType ?? 'application/octet-stream',
    blob: bytes.toString('base64'),
  };
}

/** Decodes text by its charset. Bytes that are not in it, or in one that is unknown, stay bytes: a replaced character would be lost. */
function decode(bytes: Buffer, mimeType: string): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mimeType)?.[1] ?? 'utf-8';
  if (/^utf-?8$/i.test(charset)) return isUtf8(bytes) ? bytes.toString() : undefined;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function collect(stream: AsyncIterable<unknown>, source: ResourceSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const signal = source.getSignal();
  if (stream instanceof Readable) addAbortSignal(signal, stream);
  for await (const chunk of stream) {
    signal.throwIfAborted();
    const bytes = toBuffer(chunk);
    size += bytes.length;
    if (size > source.maxBytes) {
      throw new HandlerResultError(
        `The stream of "${source.uri}" is longer than ${source.maxBytes} bytes: raise "limits.resourceBytes" or give less`,
      );
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}

function toBuffer(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof Uint8Array) return asBuffer(chunk);
  throw new HandlerResultError('A stream of a resource must give strings or bytes');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isTextual(mimeType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|javascript)\b/i.test(mimeType);
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isReadResult(value: unknown): value is ReadResourceResult {
  return isObject(value) && Array.isArray(value['contents']);
}

/** Contents have a URI, and text or bytes in any form. Other objects become JSON. */
function isMeantAsContents(value: unknown): boolean {
  if (isResourceContents(value)) return true;
  return isObject(value) && typeof value['uri'] === 'string' && ArrayBuffer.isView(value['blob']);
}
