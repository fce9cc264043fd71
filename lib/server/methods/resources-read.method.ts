import { encodeReadResourceResult } from '../../core/protocol/encoding/encode-result.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { CacheHint, ReadResourceResult } from '../../core/protocol/results.js';
import type { InputRounds } from '../input-requests/input-rounds.js';
import type { NamedResource } from '../catalog/scopes/required-scopes.js';
import type { ResourceAccess } from '../catalog/resource-access.js';
import type { Visibility } from '../catalog/visibility/visibility.js';
import type { RequestContext } from '../context/request-context.js';
import { serializeInstances } from '../schema/dto/serialize-instances.js';
import { NOT_CACHEABLE } from '../settings/mcp-options.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { HandlerLimits } from '../limits/handler-limits.js';
import type { McpMethod, MethodResult } from './mcp-method.interface.js';
import { refuseToShorten } from './results/shorten-result.js';
import { limitTime } from './time-limit.js';
import { APP_MIME_TYPE, buildPageMeta, isAppMimeType } from '../../core/protocol/apps/app-meta.js';
import { type ResourceContents, isResourceContents } from '../../core/protocol/content.js';
import type { ResourceEntry, ResourceTemplateEntry } from '../catalog/entries.js';
import { HandlerResultError, assertType, formatJson } from './results/handler-result.js';
import { isUtf8 } from 'node:buffer';
import { addAbortSignal, Readable } from 'node:stream';
import { isObject } from '../../core/protocol/json-rpc.js';
import { assertNotIterable, type Binary, findBinary, parseContents } from './results/content-blocks.js';

/** Reads a resource (MCP server/resources). */
export class ResourcesReadMethod implements McpMethod {
  readonly method = 'resources/read';

  constructor(
    private readonly resources: ResourceAccess,
    private readonly rounds: InputRounds,
    private readonly settings: ServerSettings,
    private readonly visibility: Visibility,
    private readonly limits: HandlerLimits,
  ) {}

  countCall(context: RequestContext): Promise<void> | undefined {
    const { uri } = context.params;
    const found = typeof uri === 'string' ? this.resources.findNamed(uri, context.hidden) : undefined;
    if (found === undefined) return undefined;
    const { entry, variables } = found;
    const kind = 'template' in entry ? 'resourceTemplate' : 'resource';
    return this.limits.admit(kind, entry, { args: { ...variables, uri: found.uri }, context });
  }

  async handle(context: RequestContext): Promise<MethodResult> {
    const { uri } = context.params;
    if (typeof uri !== 'string') throw McpError.invalidParams('"uri" must be a string');
    const { revision } = context;
    const found = this.resources.findNamed(uri, context.hidden);
    if (found === undefined) throw McpError.resourceNotFound(revision.resourceNotFoundCode, uri);
    const { entry } = found;
    const result = await limitTime(context, this.settings.callTimeoutMs, () =>
      this.limits.run(entry, context, () => this.#read(found, uri, context)),
    );
    if (result === undefined) throw McpError.resourceNotFound(revision.resourceNotFoundCode, uri);
    const hint = this.#findHint(found);
    const encoded = encodeReadResourceResult(
      result,
      revision,
      isFurtherRound(context) ? NOT_CACHEABLE : hint,
    );
    const maxBytes = entry.resultBytes ?? this.settings.limits.resultBytes;
    if (maxBytes !== Infinity) context.resultLimit = { maxBytes, shorten: refuseContents };
    return encoded;
  }

  /**
   * The handler receives the URI to which access rules were applied, and the contents have the URI that the client
   * sent.
   */
  #read(
    { entry, variables, uri: judged }: NamedResource,
    uri: string,
    context: RequestContext,
  ): Promise<ReadResourceResult | undefined> {
    return this.rounds.complete(
      context,
      () => entry.invoke({ ...variables, uri: judged }, context),
      (value) => this.#build(entry, value, { uri, context }),
    );
  }

  async #build(
    entry: NamedResource['entry'],
    value: unknown,
    { uri, context }: { uri: string; context: RequestContext },
  ): Promise<ReadResourceResult | undefined> {
    const result = await buildReadResult(serializeInstances(value), {
      uri,
      mimeType: entry.definition.mimeType,
      maxBytes: this.settings.limits.resourceBytes,
      getSignal: () => context.signal,
    });
    return entry.app === undefined ? result : completeAppContents(result, entry);
  }

  /** Contents that some callers must not see are cached only for their caller. */
  #findHint({ entry }: NamedResource): CacheHint {
    const hint = entry.cache ?? this.settings.cache.resourceContents;
    return this.visibility.isConditional([entry]) ? { ...hint, scope: 'private' } : hint;
  }
}

const refuseContents = refuseToShorten('The resource contents');

/**
 * A result that depends on the user's input must not be cached under the URI (MCP 2026-07-28 server/utilities/caching).
 */
function isFurtherRound({ params }: RequestContext): boolean {
  return params['inputResponses'] !== undefined || params['requestState'] !== undefined;
}

/**
 * Adds the properties that hosts need to an app's page: the media type, and the declared description unless the
 * handler returns a different one.
 *
 * @throws {HandlerResultError} if the page has a different media type
 */
function completeAppContents(
  result: ReadResourceResult | undefined,
  entry: ResourceEntry | ResourceTemplateEntry,
): ReadResourceResult | undefined {
  if (result === undefined) return undefined;
  const declared = { ...entry.definition._meta, ...(entry.app && buildPageMeta(entry.app.meta)) };
  return { ...result, contents: result.contents.map((contents) => complete(contents, declared)) };
}

function complete(contents: ResourceContents, declared: object): ResourceContents {
  const { uri, mimeType = APP_MIME_TYPE, _meta = {} } = contents;
  if (!isAppMimeType(mimeType)) {
    throw new HandlerResultError(
      `The app "${uri}" has the media type "${mimeType}": use "${APP_MIME_TYPE}", or omit it`,
    );
  }
  if ('text' in contents && !contents.text.includes('<')) {
    throw new HandlerResultError(`The app "${uri}" is not HTML: return a whole page as a string or bytes`);
  }
  const meta = { ...declared, ..._meta };
  return {
    ...contents,
    mimeType: APP_MIME_TYPE,
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

/** Facts about the resource whose contents are built. */
export interface ResourceFacts {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  /** The number of bytes that a stream may produce. */
  readonly maxBytes: number;
  /** Returns the signal that stops the reading of a stream. */
  readonly getSignal: () => AbortSignal;
}

/**
 * Builds a resource's contents from its handler's result: a string, bytes, a stream of either, contents, or a value
 * that becomes JSON. Bytes are a `Uint8Array`, `ArrayBuffer`, `Blob`, `Response` or `StreamableFile`. Returns
 * `undefined` for no value, which means that the resource does not exist.
 *
 * @throws {HandlerResultError} if it cannot be sent
 */
export async function buildReadResult(
  value: unknown,
  source: ResourceFacts,
): Promise<ReadResourceResult | undefined> {
  if (value === undefined || value === null) return undefined;
  if (isReadResult(value)) {
    assertType(value._meta, 'object', '_meta');
    const contents = value.contents.map((one, index) => parseContents(one, `contents[${index}]`));
    return contents.length === 0 ? undefined : { ...value, contents };
  }
  if (isMeantAsContents(value)) return { contents: [parseContents(value, '')] };
  if (Array.isArray(value) && value.length > 0 && value.every(isMeantAsContents)) {
    return { contents: value.map((one, index) => parseContents(one, `[${index}]`)) };
  }
  return { contents: [await buildContents(value, source)] };
}

async function buildContents(value: unknown, source: ResourceFacts): Promise<ResourceContents> {
  const { uri, mimeType } = source;
  if (typeof value === 'string') return { uri, mimeType: mimeType ?? 'text/plain', text: value };
  const binary = findBinary(value) ?? (isStream(value) ? { bytes: value } : undefined);
  if (binary !== undefined) return buildFromBinary(binary, source);
  assertNotIterable(value, 'resource');
  return { uri, mimeType: mimeType ?? 'application/json', text: formatJson(value) };
}

async function buildFromBinary(
  { bytes, mimeType }: Binary,
  source: ResourceFacts,
): Promise<ResourceContents> {
  const whole = bytes instanceof Uint8Array ? asBuffer(bytes) : await collect(bytes, source);
  return buildFromBytes(whole, { uri: source.uri, mimeType: source.mimeType ?? mimeType });
}

function buildFromBytes(
  bytes: Buffer,
  { uri, mimeType }: Pick<ResourceFacts, 'uri' | 'mimeType'>,
): ResourceContents {
  const text = mimeType !== undefined && isTextual(mimeType) ? decode(bytes, mimeType) : undefined;
  if (mimeType !== undefined && text !== undefined) return { uri, mimeType, text };
  return {
    uri,
    mimeType: mimeType ?? 'application/octet-stream',
    blob: bytes.toString('base64'),
  };
}

/**
 * Decodes bytes with their charset. Bytes that are invalid, or have an unknown charset, stay bytes, because replacing
 * characters would lose information.
 */
function decode(bytes: Buffer, mimeType: string): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mimeType)?.[1] ?? 'utf-8';
  if (/^utf-?8$/i.test(charset)) return isUtf8(bytes) ? bytes.toString() : undefined;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function collect(stream: AsyncIterable<unknown>, source: ResourceFacts): Promise<Buffer> {
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
        `The stream for "${source.uri}" is longer than ${source.maxBytes} bytes: raise "limits.resourceBytes" or return less`,
      );
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}

function toBuffer(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof Uint8Array) return asBuffer(chunk);
  throw new HandlerResultError('A resource stream must produce strings or bytes');
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

/** Contents have a URI and a string or bytes in any form. Other objects become JSON. */
function isMeantAsContents(value: unknown): boolean {
  if (isResourceContents(value)) return true;
  return isObject(value) && typeof value['uri'] === 'string' && ArrayBuffer.isView(value['blob']);
}
