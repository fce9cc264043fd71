import { mergeCapabilities } from '../protocol/capabilities.js';
import { isObject, type JsonRpcRequest, type Params, type RequestId } from '../protocol/json-rpc.js';
import { buildLogEntry, isAtLeast, type LogLevel } from '../protocol/log-level.js';
import { MetaKey, type RequestMeta } from '../protocol/meta-keys.js';
import { OutboundNotification, type OutboundMessage } from '../protocol/outbound-message.js';
import type { Revision } from '../protocol/revisions.js';
import type { ClientView, HttpView, McpContext, SessionView } from './mcp-context.interface.js';
import type { Peer, ReplyChannel } from './peer.interface.js';

const NO_PARAMS: Params = Object.freeze({});
const NO_META: RequestMeta = Object.freeze({});

/** Hears that a request ends before its handler does: with a failure to answer, or with nothing to answer. */
export type InterruptListener = (failure: Error | undefined) => void;

/** One request from its arrival to its response. What few requests need is made when it is asked for. */
export class RequestContext implements McpContext {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
  /** Set by whoever answers the request. */
  onInterrupt: InterruptListener | undefined;
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
    return isObject(meta) ? meta : NO_META;
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

  /** Whether what is sent before the response reaches the client. */
  get takesMessages(): boolean {
    return this.#channel.takesMessages;
  }

  /** Whether the request is answered, or never will be. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Cancels the request: its handler is aborted and it is not answered. */
  cancel(reason: string): void {
    this.#interrupt(undefined, reason);
  }

  /** Fails the request before its handler is done: the handler is aborted and the failure is answered. */
  fail(failure: Error): void {
    this.#interrupt(failure, failure.message);
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
      ...(Number.isFinite(total) && { total }),
      ...(message !== undefined && this.revision.defines.progressMessage && { message }),
    });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const minimum = this.peer.logLevel;
    if (minimum === undefined || !isAtLeast(level, minimum)) return;
    this.notify('notifications/message', buildLogEntry(level, data, logger));
  }

  /** Sends a notification that belongs to this request. */
  notify(method: string, params: object): void {
    this.send(new OutboundNotification(method, params));
  }

  /** Sends a message that belongs to this request. */
  send(message: OutboundMessage): void {
    if (!this.#isSettled) this.#channel.send(message);
  }

  hasExtension(id: string): boolean {
    const { extensions } = this.client.capabilities;
    return isObject(extensions) && Object.hasOwn(extensions, id);
  }

  #interrupt(failure: Error | undefined, reason: string): void {
    if (this.#isSettled) return;
    this.onInterrupt?.(failure);
    this.#isSettled = true;
    this.#abort ??= new AbortController();
    this.#abort.abort(new DOMException(reason, 'AbortError'));
  }

  #mergeClient(): ClientView {
    const { client } = this.peer;
    const declared = this.meta[MetaKey.clientCapabilities];
    if (this.session === undefined || !isObject(declared)) return client;
    const capabilities = mergeCapabilities(client.capabilities, declared);
    return { ...client, capabilities };
  }
}
