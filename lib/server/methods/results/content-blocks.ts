import { type ContentBlock, isContentBlock, type ResourceContents } from '../../../core/protocol/content.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { assertType, HandlerResultError } from './handler-result.js';
import { StreamableFile } from '@nestjs/common';

/** Bytes in base64, with the media type if they came from a data URL. */
interface Base64 {
  readonly text: string;
  readonly mimeType?: string | undefined;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BASE64URL = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * Encodes bytes in the base64 that clients accept (RFC 4648 §4), from a data URL, base64url, multiline base64, or the
 * bytes themselves. Runs in linear time.
 *
 * @param path the value's path, for error messages
 * @throws {HandlerResultError} if they are ambiguous
 */
function parseBase64(value: unknown, path: string): Base64 {
  if (typeof value !== 'string') return { text: takeBytes(value, path) };
  if (isBase64(value)) return { text: value };
  const found = value.startsWith('data:') ? readDataUrl(value) : { text: repair(value) };
  if (found?.text !== undefined) return { text: found.text, mimeType: found.mimeType };
  throw new HandlerResultError(
    `The property "${path}" is not base64: use Buffer.from(bytes).toString('base64')`,
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
    `The property "${path}" must be bytes in base64: use Buffer.from(bytes).toString('base64')`,
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

type Properties = { readonly [name: string]: unknown };
type Take = (block: Properties, path: string) => Properties;

/** A block type, with its parser and the properties that only such a block has. */
interface Kind {
  readonly type: string;
  readonly take: Take;
  readonly signs: readonly string[];
}

/** The block types, keyed without case and separators. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['text', { type: 'text', take: takeText, signs: ['text'] }],
  ['image', { type: 'image', take: takeMedia, signs: ['data', 'mimetype', 'base64', 'blob', 'bytes'] }],
  ['audio', { type: 'audio', take: takeMedia, signs: ['data', 'mimetype', 'base64', 'blob', 'bytes'] }],
  ['resource', { type: 'resource', take: takeEmbedded, signs: ['resource'] }],
  ['resourcelink', { type: 'resource_link', take: takeLink, signs: ['uri'] }],
]);

/**
 * Returns whether a value is meant as a content block: it has a block's `type`, and a property that only such a block
 * has, in any spelling. Any other object is an application value.
 */
export function isMeantAsBlock(value: unknown): value is Properties {
  const kind = findKind(value);
  if (kind === undefined) return false;
  return Object.entries(value as Properties).some(
    ([name, member]) => kind.signs.includes(simplify(name)) && isSign(member),
  );
}

function findKind(value: unknown): Kind | undefined {
  if (!isObject(value) || typeof value['type'] !== 'string') return undefined;
  return KINDS.get(simplify(value['type']));
}

/** Application records have numbers and lists where blocks have strings, bytes or a resource. */
function isSign(member: unknown): boolean {
  return (
    typeof member === 'string' || (typeof member === 'object' && member !== null && !Array.isArray(member))
  );
}

/**
 * Returns whether a value is meant as a list of content blocks: all items have a block `type`, and at least one is
 * meant as a block. An empty list is a list of values.
 */
export function isMeantAsContent(value: unknown): value is readonly unknown[] {
  return (
    Array.isArray(value) &&
    value.some(isMeantAsBlock) &&
    value.every((member) => findKind(member) !== undefined)
  );
}

/**
 * Validates content blocks before they are sent, because clients discard the whole result if a single block is
 * invalid. Bytes in any form are encoded in base64.
 *
 * @param path the value's path, for error messages
 * @throws {HandlerResultError} with the invalid property's name
 * @see MCP server/tools, "Tool Result"
 */
export function parseBlocks(blocks: readonly unknown[], path: string): readonly ContentBlock[] {
  // Plain text needs no changes, and most content is plain text.
  if (blocks.every(isPlainText)) return blocks;
  return blocks.map((block, index) => parseBlock(block, `${path}[${index}]`));
}

/**
 * Validates one content block.
 *
 * @throws {HandlerResultError} with the invalid property's name
 */
export function parseBlock(value: unknown, path: string): ContentBlock {
  if (isPlainText(value)) return value;
  if (!isObject(value)) throw describeBlock(path);
  const kind = findKind(value);
  if (kind === undefined) throw describeBlock(path);
  if (value['type'] !== kind.type)
    throw fail(path, 'type', `is ${JSON.stringify(value['type'])}: use "${kind.type}"`);
  assertAnnotations(value, path);
  assertType(value['_meta'], 'object', join(path, '_meta'));
  return kind.take(value, path) as unknown as ContentBlock;
}

/**
 * Validates a resource's contents.
 *
 * @throws {HandlerResultError} with the invalid property's name
 */
export function parseContents(value: unknown, path: string): ResourceContents {
  if (!isObject(value)) {
    throw new HandlerResultError(`The property "${path}" must have "uri" and "text" or "blob"`);
  }
  assertString(value, 'uri', path);
  assertType(value['mimeType'], 'string', join(path, 'mimeType'));
  assertType(value['_meta'], 'object', join(path, '_meta'));
  if (typeof value['text'] === 'string') return value as unknown as ResourceContents;
  if (value['blob'] === undefined)
    throw fail(path, 'text', 'must be a string, or "blob" must be bytes in base64');
  const { text: blob, mimeType } = parseBase64(value['blob'], join(path, 'blob'));
  return { ...(mimeType !== undefined && { mimeType }), ...value, blob } as unknown as ResourceContents;
}

function isPlainText(value: unknown): value is ContentBlock {
  return (
    isContentBlock(value) &&
    value.type === 'text' &&
    value.annotations === undefined &&
    value._meta === undefined
  );
}

function takeText(block: Properties, path: string): Properties {
  assertString(block, 'text', path);
  return block;
}

function takeMedia(block: Properties, path: string): Properties {
  const { data } = block;
  if (data === undefined)
    throw fail(path, 'data', `is missing: ${findSpelling(block, 'data') ?? 'provide bytes in base64'}`);
  const { text, mimeType } = parseBase64(data, join(path, 'data'));
  const whole = { ...(mimeType !== undefined && { mimeType }), ...block, data: text };
  assertString(
    whole,
    'mimeType',
    path,
    `such as "${String(block['type'])}/${block['type'] === 'audio' ? 'wav' : 'png'}"`,
  );
  return whole;
}

function takeEmbedded(block: Properties, path: string): Properties {
  return { ...block, resource: parseContents(block['resource'], join(path, 'resource')) };
}

function takeLink(block: Properties, path: string): Properties {
  assertString(block, 'uri', path);
  assertString(block, 'name', path);
  for (const name of ['mimeType', 'title', 'description'])
    assertType(block[name], 'string', join(path, name));
  assertType(block['size'], 'number', join(path, 'size'));
  if (Number.isNaN(Number(block['size'] ?? 0))) throw fail(path, 'size', 'must be a number');
  return block;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Clients check annotations as strictly as the rest (MCP server/resources, "Annotations"). */
function assertAnnotations({ annotations }: Properties, path: string): void {
  if (annotations === undefined) return;
  const within = join(path, 'annotations');
  if (!isObject(annotations)) throw fail(path, 'annotations', 'must be an object');
  const { audience, priority, lastModified } = annotations;
  if (
    audience !== undefined &&
    !(Array.isArray(audience) && audience.every((role) => role === 'user' || role === 'assistant'))
  ) {
    throw fail(within, 'audience', 'must be an array that contains only "user" and "assistant"');
  }
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) {
    throw fail(within, 'priority', 'must be a number from 0 to 1');
  }
  if (lastModified === undefined || (lastModified instanceof Date && !Number.isNaN(lastModified.getTime())))
    return;
  if (typeof lastModified !== 'string' || !INSTANT.test(lastModified)) {
    throw fail(within, 'lastModified', 'must be a time with an offset, such as "2026-07-28T10:00:00Z"');
  }
}

function assertString(block: Properties, name: string, path: string, example?: string): void {
  const value = block[name];
  if (typeof value === 'string') return;
  const fix =
    findSpelling(block, name) ?? (example === undefined ? 'provide a string' : `provide a string ${example}`);
  throw fail(path, name, value === undefined ? `is missing: ${fix}` : 'must be a string');
}

/** Finds a misspelled property. */
function findSpelling(block: Properties, name: string): string | undefined {
  const other = Object.keys(block).find((key) => key !== name && simplify(key) === simplify(name));
  return other === undefined ? undefined : `use "${name}" instead of "${other}"`;
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function fail(path: string, name: string, what: string): HandlerResultError {
  return new HandlerResultError(`The property "${join(path, name)}" of the result ${what}`);
}

function describeBlock(path: string): HandlerResultError {
  return new HandlerResultError(
    `"${path}" of the result is not a content block: add a "type" and its properties, such as { type: 'text', text }`,
  );
}

/** Bytes or a stream of bytes, with their media type. */
export interface Binary {
  readonly bytes: Uint8Array | AsyncIterable<unknown>;
  readonly mimeType?: string | undefined;
}

const TYPES = [Uint8Array, ArrayBuffer, Blob, StreamableFile];

/** Returns whether a value represents bytes. */
export function isBinary(value: unknown): boolean {
  return TYPES.some((type) => value instanceof type) || isResponse(value);
}

/**
 * Reads the byte types of Node, the web platform and Nest. Returns `undefined` for any other value.
 *
 * @throws {HandlerResultError} if it is the `Response` to a failed request
 */
export function findBinary(value: unknown): Binary | undefined {
  if (value instanceof Uint8Array) return { bytes: value };
  if (value instanceof ArrayBuffer) return { bytes: new Uint8Array(value) };
  if (value instanceof Blob) return { bytes: value.stream(), mimeType: value.type || undefined };
  if (value instanceof StreamableFile) return { bytes: value.getStream(), mimeType: value.options.type };
  if (isResponse(value)) return readResponse(value);
  return undefined;
}

/** Node loads its entire `fetch()` implementation when `Response` is first accessed, so it is accessed last. */
function isResponse(value: unknown): value is Response {
  const isNamedSo = Object.prototype.toString.call(value) === '[object Response]';
  return isNamedSo && value instanceof Response;
}

function readResponse({ ok, status, body, headers }: Response): Binary {
  if (!ok) throw new HandlerResultError(`The Response has status ${status}: return a successful one`);
  return { bytes: body ?? new Uint8Array(), mimeType: headers.get('content-type') ?? undefined };
}

/**
 * Refuses iterables such as a `Map` or a generator, because JSON would write them as `{}`.
 *
 * @throws {HandlerResultError} that names what to return instead
 */
export function assertNotIterable(value: unknown, giver: 'tool' | 'resource'): void {
  if (!isLostAsJson(value)) return;
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  throw new HandlerResultError(
    `A ${giver} cannot return an iterable such as this ${kind}: return a plain object, an array or an Observable`,
  );
}

/** Returns whether a value defines its own JSON form, such as a date or a database record. */
export function hasOwnJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'toJSON' in value;
}

function isLostAsJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || hasOwnJson(value)) return false;
  return Symbol.asyncIterator in value || (Symbol.iterator in value && Object.keys(value).length === 0);
}
