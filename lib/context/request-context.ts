import { isObject, type JsonRpcRequest, type Params, type RequestId } from '../protocol/json-rpc.js';
import { mergeCapabilities, type ClientCapabilities } from '../protocol/capabilities.js';
import { isAtLeast, type LogLevel } from '../protocol/log-level.js';
import { MetaKey, type RequestMeta } from '../protocol/meta-keys.js';
import { OutboundNotification } from '../protocol/outbound-message.js';
import type { Revision } from '../protocol/revisions.js';
import type { ClientView, HttpView, McpContext, SessionView } from './mcp-context.interface.js';
import type { Peer, ReplyChannel } from './peer.interface.js';

const NO_PARAMS: Params = Object.freeze({});
const NO_META: RequestMeta = Object.freeze({});

/** One request from its arrival to its response. What few requests need is made when it is asked for. */
export class RequestContext implements McpContext {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
  readonly #channel: ReplyChannel;
  #abort: AbortController | undefined;
  #client: ClientView | undefined;
  #lastProgress = Number.NEGATIVE_INFINITY;
  #isSettled = false;

  constructor(
    request: JsonRpcRequest,
    readonly peer: Peer,
    channel: ReplyChannel,
  ) {
    this.id = request.id;
    this.method = request.method;
    this.params = request.params ?? NO_PARAMS;
    this.#channel = channel;
  }

  get meta(): RequestMeta {
    const meta = this.params['_meta'];
    return isObject(meta) ? (meta as RequestMeta) : NO_META;
  }

  get revision(): Revision {
    return this.peer.revision;
  }

  get session(): SessionView | undefined {
    return this.peer.session;
  }

  get http(): HttpView | undefined {
    return this.#channel.http;
  }

  get client(): ClientView {
    this.#client ??= this.#mergeClient();
    return this.#client;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  /** Whether the request was cancelled: its response is not sent. */
  get isCancelled(): boolean {
    return this.#abort?.signal.aborted ?? false;
  }

  /** Aborts what the handler does. */
  cancel(reason: string): void {
    if (this.#isSettled) return;
    this.#abort ??= new AbortController();
    this.#abort.abort(new DOMException(reason, 'AbortError'));
  }

  /** Ends the request: whatever its handler still emits goes nowhere. */
  settle(): void {
    this.#isSettled = true;
  }

  progress(progress: number, total?: number, message?: string): void {
    const { progressToken } = this.meta;
    if (typeof progressToken !== 'string' && !Number.isInteger(progressToken)) return;
    if (!Number.isFinite(progress) || progress <= this.#lastProgress) return;
    this.#lastProgress = progress;
    this.notify('notifications/progress', {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && this.revision.defines.progressMessage && { message }),
    });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const minimum = this.peer.logLevel;
    if (minimum === undefined || !isAtLeast(level, minimum)) return;
    this.notify('notifications/message', { level, ...(logger !== undefined && { logger }), data });
  }

  /** Sends a notification that belongs to this request. */
  notify(method: string, params: object): void {
    if (this.#isSettled || this.isCancelled) return;
    this.#channel.send(new OutboundNotification(method, params));
  }

  hasExtension(id: string): boolean {
    const { extensions } = this.client.capabilities;
    return extensions !== undefined && Object.hasOwn(extensions, id);
  }

  #mergeClient(): ClientView {
    const declared = this.meta[MetaKey.clientCapabilities];
    const { client } = this.peer;
    if (this.session === undefined || !isObject(declared)) return client;
    const capabilities = mergeCapabilities(client.capabilities, declared as ClientCapabilities);
    return { ...client, capabilities };
  }
}
