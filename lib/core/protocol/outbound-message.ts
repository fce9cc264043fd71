import { isObject, type JsonRpcErrorObject, type Params, type RequestId } from './json-rpc.js';
import { MetaKey } from './meta-keys.js';

/** An outgoing message. It is serialized once, however many streams send it. */
export interface OutboundMessage {
  /** The message as one line of JSON. */
  readonly json: string;
  /** The message in two pieces, if nearly all of it is already serialized bytes. */
  readonly pieces?: readonly [head: string, rest: Uint8Array] | undefined;
  /** Whether its stream sends heartbeats itself, so that no keep-alive comments are needed. @default false */
  readonly isOfLiveStream?: boolean;
}

/** Notifications about an event stream's state. The first one confirms the stream. */
const LIVE_STREAM: ReadonlySet<string> = new Set([
  'notifications/events/active',
  'notifications/events/heartbeat',
  'notifications/events/event',
]);

/** A notification from the server. */
export class OutboundNotification implements OutboundMessage {
  readonly #isOfLiveStream: boolean;
  #json: string | undefined;
  #frame: Frame | undefined;

  constructor(
    readonly method: string,
    readonly params?: object,
  ) {
    this.#isOfLiveStream = LIVE_STREAM.has(method);
  }

  get json(): string {
    this.#json ??= JSON.stringify({ jsonrpc: '2.0', method: this.method, params: this.params });
    return this.#json;
  }

  get isOfLiveStream(): boolean {
    return this.#isOfLiveStream;
  }

  /**
   * Returns the message for a subscription, tagged with the `subscriptions/listen` request's ID. The parameters are
   * not serialized again; the tag is inserted before them, or into their `_meta`.
   *
   * @see MCP 2026-07-28 basic/utilities/subscriptions
   */
  taggedFor(subscriptionId: RequestId): TaggedNotification {
    this.#frame ??= this.#buildFrame();
    const [before, after] = this.#frame;
    return new TaggedNotification(this.method, `${before}${JSON.stringify(subscriptionId)}${after}`);
  }

  #buildFrame(): Frame {
    const head = `{"jsonrpc":"2.0","method":${JSON.stringify(this.method)}`;
    const before = `${head},"params":{"_meta":{${JSON.stringify(MetaKey.subscriptionId)}:`;
    const members = this.json.slice(head.length + ',"params":{'.length, -2);
    // A message that is never sent needs no search.
    const mixed = members.includes('"_meta"') ? mixIn(members) : undefined;
    return [before, mixed ?? `}${members === '' ? '' : `,${members}`}}}`];
  }
}

/** The strings before and after a subscription's ID. */
type Frame = readonly [before: string, after: string];

/** Returns the part that follows the tag at the start of the params' `_meta`, if they have one. */
function mixIn(members: string): string | undefined {
  const { _meta: meta, ...rest } = JSON.parse(`{${members}}`) as Params;
  if (meta === undefined) return undefined;
  const { [MetaKey.subscriptionId]: _replaced, ...stored } = isObject(meta) ? meta : {};
  return `${openUp(stored)}}${openUp(rest)}}}`;
}

/** Returns an object's properties as JSON that follows other properties. */
function openUp(members: object): string {
  const json = JSON.stringify(members);
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}

/** A notification as one subscription sees it. */
export class TaggedNotification implements OutboundMessage {
  constructor(
    readonly method: string,
    readonly json: string,
  ) {}
}

/** The number of characters above which sending bytes costs less than joining and encoding strings. */
const WORTH_KEEPING = 4096;

/** A result that is already JSON, which saves serializing unchanged results again. */
export class SerializedResult {
  #tail: Uint8Array | undefined;

  constructor(readonly json: string) {}

  /** Returns the result as bytes, with the brace that ends its response, or `undefined` for a short result. */
  get tail(): Uint8Array | undefined {
    if (this.json.length < WORTH_KEEPING) return undefined;
    this.#tail ??= new TextEncoder().encode(`${this.json}}`);
    return this.#tail;
  }
}

/** A successful response. */
export class OutboundResult implements OutboundMessage {
  readonly httpStatus = 200;
  #json: string | undefined;

  constructor(
    readonly id: RequestId,
    readonly result: object | SerializedResult,
  ) {}

  get json(): string {
    this.#json ??=
      this.result instanceof SerializedResult
        ? `${this.#head}${this.result.json}}`
        : stringifyResponse(this.id, this.result);
    return this.#json;
  }

  get pieces(): readonly [string, Uint8Array] | undefined {
    const tail = this.result instanceof SerializedResult ? this.result.tail : undefined;
    return tail && [this.#head, tail];
  }

  get #head(): string {
    return `{"jsonrpc":"2.0","id":${JSON.stringify(this.id)},"result":`;
  }
}

/** A failed response, without an ID if the request's ID could not be read. */
export class OutboundError implements OutboundMessage {
  #json: string | undefined;

  constructor(
    readonly id: RequestId | undefined,
    readonly error: JsonRpcErrorObject,
    /** The HTTP status of the response if no stream has begun. */
    readonly httpStatus: number,
    /** Seconds after which the client may retry. @default unknown */
    readonly retryAfterSeconds?: number,
  ) {}

  get json(): string {
    this.#json ??= JSON.stringify({ jsonrpc: '2.0', id: this.id, error: this.error });
    return this.#json;
  }
}

/** A response that requires a token, or a token with more scopes, if the HTTP response has not started. */
export class ChallengingResponse implements OutboundMessage {
  constructor(
    readonly response: OutboundResponse,
    readonly httpStatus: number,
    /** The value of the header with this name. */
    readonly wwwAuthenticate: string,
    /** If it concerns scopes, the required scopes and the token's scopes. */
    readonly shortage?: { readonly needed: readonly string[]; readonly held: readonly string[] },
  ) {}

  get json(): string {
    return this.response.json;
  }
}

/** The response to a request. */
export type OutboundResponse = OutboundResult | OutboundError | ChallengingResponse;

/** A request to the client. */
export class OutboundRequest implements OutboundMessage {
  #json: string | undefined;

  constructor(
    readonly id: RequestId,
    readonly method: string,
    readonly params: object,
  ) {}

  get json(): string {
    this.#json ??= JSON.stringify({
      jsonrpc: '2.0',
      id: this.id,
      method: this.method,
      params: this.params,
    });
    return this.#json;
  }
}

/**
 * Serializes a successful response. Most tool results are a single string, and quoting only this string is much
 * faster than `JSON.stringify` for the objects around it.
 */
export function stringifyResponse(id: RequestId, result: object): string {
  const text = findOnlyText(result);
  if (text === undefined) return JSON.stringify({ jsonrpc: '2.0', id, result });
  const quoted = JSON.stringify(text);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${quoted}}]}}`;
}

/** An object that may have its own JSON form. */
type PlainObject = { readonly [name: string]: unknown };

/** Finds the string in a result that contains nothing else. */
function findOnlyText(result: object): string | undefined {
  const { content, toJSON } = result as PlainObject;
  const isOne = isPlainList(content) && content.length === 1 && toJSON === undefined;
  return isOne && Object.keys(result).length === 1 ? findText(content[0]) : undefined;
}

function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && !('toJSON' in value);
}

function findText(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null) return undefined;
  const { type, text, toJSON } = block as PlainObject;
  if (type !== 'text' || typeof text !== 'string' || toJSON !== undefined) return undefined;
  const names = Object.keys(block);
  return names.length === 2 && names[0] === 'type' && names[1] === 'text' ? text : undefined;
}
