import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { declaresExtension, mergeCapabilities, parseCapabilities } from '../../core/protocol/capabilities.js';
import type {
  InputRequest,
  InputRequiredResult,
  Root,
  SamplingResult,
} from '../../core/protocol/input-requests.js';
import { encodeProgress, isProgressToken } from '../../core/protocol/encoding/encode-result.js';
import { buildLogEntry, isAtLeast, type LogLevel } from '../../core/protocol/log-level.js';
import { type OutboundMessage, OutboundNotification } from '../../core/protocol/outbound-message.js';
import { serializeInstances } from '../schema/dto/serialize-instances.js';
import type { SchemaSource } from '../settings/schema-source.interface.js';
import type {
  InputResponsesOf,
  InputRequester,
  ContentOf,
  ElicitationAnswer,
  ElicitationConsent,
  ElicitationForm,
  ElicitationPage,
  TypedInputRequest,
  InputRequestBuilders,
  InputRequestOptions,
  Round,
  SamplingOptions,
} from './input-request.interface.js';
import type {
  InputRequesters,
  StateSource,
  Hosting,
  RequestParts,
  Interruption,
  InterruptListener,
} from './request-parts.interface.js';
import type { ClientView, HttpView, McpContext, SessionView, TaskView } from './mcp-context.interface.js';
import { isObject, type JsonRpcRequest, type Params, type RequestId } from '../../core/protocol/json-rpc.js';
import { MetaKey, type RequestMeta } from '../../core/protocol/meta-keys.js';
import type { Revision } from '../../core/protocol/revisions.js';
import { type TransportKind, selectTransport } from '../settings/transport-kind.js';
import type { AuthView } from './auth-view.interface.js';
import type { CallerState } from './caller-state.interface.js';
import type { Peer } from './peer.interface.js';
import { NO_AUTH } from './request-auth.js';

const NOTHING: Params & RequestMeta = Object.freeze({});

/** The abort reason of a call that ends with input requests: its client continues it with another request. */
export const SUSPENDED = 'The round ended with input requests to the client';

/** The state source of a server that stores no state. */
const NO_STATES: StateSource = {
  open() {
    throw new TypeError('This context has no state storage');
  },
};

/** The input requests for a context without a client. */
const NO_CLIENT: InputRequesters = {
  get builders(): never {
    throw new TypeError('This context has no client to send requests to');
  },
  isMultiRoundTrip: () => false,
  create() {
    throw new TypeError('This context has no client to send requests to');
  },
};

/** The facts about a request: its kind and its sender. */
export abstract class RequestFacts {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
  readonly peer: Peer;
  /** The caller's access. @default the access for an open server */
  auth: AuthView;
  readonly memory: RequestParts['memory'];
  readonly hosting: Hosting | undefined;
  operation: RequestParts['operation'];
  #client: ClientView | undefined;
  #state: CallerState | undefined;

  constructor(
    request: JsonRpcRequest,
    protected readonly parts: RequestParts,
  ) {
    this.id = request.id;
    this.method = request.method;
    this.params = request.params ?? NOTHING;
    this.peer = parts.peer;
    this.auth = parts.auth ?? NO_AUTH;
    ({ memory: this.memory, hosting: this.hosting, operation: this.operation } = parts);
  }

  get meta(): RequestMeta {
    const meta = this.params['_meta'];
    return isObject(meta) ? meta : NOTHING;
  }

  get revision(): Revision {
    return this.peer.revision;
  }

  get task(): TaskView | undefined {
    return this.hosting?.task;
  }

  get identity(): string | undefined {
    return this.peer.identity;
  }

  get session(): SessionView | undefined {
    return this.peer.session;
  }

  get http(): HttpView | undefined {
    return this.parts.channel.http;
  }

  /** The request's transport; absent if it is unknown, as for work that outlives the request. */
  get transport(): TransportKind | undefined {
    return this.hosting === undefined ? selectTransport(this.parts.channel) : this.hosting.transport;
  }

  get client(): ClientView {
    return (this.#client ??= mergeClient(this.peer, this.meta));
  }

  get state(): CallerState {
    return (this.#state ??= this.hosting?.state ?? (this.parts.states ?? NO_STATES).open(this));
  }
}

/** Adds the capabilities of one request to the negotiated ones. Nothing is removed. */
function mergeClient({ client, revision }: Peer, meta: RequestMeta): ClientView {
  const declared = meta[MetaKey.clientCapabilities];
  // A stateless request declares all capabilities itself.
  if (revision.kind === 'perRequest' || !isObject(declared)) return client;
  return { ...client, capabilities: mergeCapabilities(client.capabilities, parseCapabilities(declared)) };
}

/** A response's limit. */
export interface ResultLimit {
  /** The maximum size of the result message in bytes. */
  readonly maxBytes: number;
  /**
   * Shortens a result whose message is too long.
   *
   * @throws {McpError} if nothing can be cut
   */
  readonly shorten: (
    result: Encoded,
    excess: { readonly bytes: number; readonly maxBytes: number },
  ) => Encoded;
}

/** One request from its arrival to its response. Parts that few requests need are created on demand. */
export class RequestContext extends RequestFacts implements McpContext {
  /** The catalog entries that are hidden from the caller. @default nothing */
  hidden: ReadonlySet<object> | undefined;
  /** Set by the response's sender. */
  onInterrupt: InterruptListener | undefined;
  /** Set by a method whose results are limited. @default no limit */
  resultLimit: ResultLimit | undefined;
  #abort: AbortController | undefined;
  #requester: InputRequester | undefined;
  #lastProgress = Number.NEGATIVE_INFINITY;
  #isSettled = false;

  get signal(): AbortSignal {
    return (this.#abort ??= new AbortController()).signal;
  }

  /** Whether messages before the response reach the client. */
  get takesMessages(): boolean {
    return this.parts.channel.takesMessages;
  }

  /** Determines whether messages before the response reach the client through another process. */
  async findReader(): Promise<boolean> {
    return (await this.parts.channel.findReader?.()) === true;
  }

  /** The number of sent bytes that the client has not read yet. */
  get bufferedBytes(): number {
    return this.parts.channel.unread ?? 0;
  }

  /** Whether the request has received a response, or never will. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Cancels the request: its handler is aborted, and there is no response. */
  cancel(reason: string): void {
    this.#interrupt({}, reason);
  }

  /** Fails the request before its handler finishes: the handler is aborted, and the failure becomes the response. */
  fail(failure: Error): void {
    this.#interrupt({ failure }, failure.message);
  }

  /** Ends this round of the call with input requests to the client. The handler is abandoned. */
  suspend(result: Record<string, unknown>): void {
    this.#interrupt({ result }, SUSPENDED);
  }

  /** Aborts the signal before the request fails: the failure still has to pass the interceptors. */
  abort(reason: string): void {
    (this.#abort ??= new AbortController()).abort(new DOMException(reason, 'AbortError'));
  }

  /** Ends the request. Messages that its handler still sends are dropped. */
  settle(): void {
    this.#end('The call has already ended');
  }

  progress(progress: number, total?: number, message?: string): void {
    const { progressToken } = this.meta;
    if (!isProgressToken(progressToken)) return;
    if (!Number.isFinite(progress) || progress <= this.#lastProgress) return;
    this.#lastProgress = progress;
    const report = encodeProgress({ progressToken, progress, total, message }, this.revision);
    this.notify('notifications/progress', report);
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const minimum = this.peer.logLevel;
    if (minimum === undefined || !isAtLeast(level, minimum)) return;
    this.notify('notifications/message', buildLogEntry(level, serializeInstances(data), logger));
  }

  /** Sends a notification that belongs to this request. */
  notify(method: string, params: object): void {
    this.send(new OutboundNotification(method, params));
  }

  releaseConnection(retryMs?: number): void {
    if (!this.#isSettled) this.parts.channel.release?.(retryMs);
  }

  /** Sends a message that belongs to this request. */
  send(message: OutboundMessage): void {
    if (!this.#isSettled) this.parts.channel.send(message);
  }

  get inputResponses(): Round['inputResponses'] {
    return this.#getRequester().round.inputResponses;
  }

  get requestState(): string | undefined {
    return this.#getRequester().round.requestState;
  }

  elicit<Schema extends SchemaSource>(
    form: ElicitationForm<Schema>,
  ): Promise<ElicitationAnswer<ContentOf<Schema>>> {
    return this.#ask((requester, { elicitation }) => requester.request(elicitation(form)));
  }

  elicitUrl(page: ElicitationPage): Promise<ElicitationConsent> {
    return this.#ask((requester, { urlElicitation }) => requester.request(urlElicitation(page)));
  }

  sample(question: SamplingOptions): Promise<SamplingResult> {
    return this.#ask((requester, { sampling }) => requester.request(sampling(question)));
  }

  listRoots(options?: InputRequestOptions): Promise<readonly Root[]> {
    return this.#ask((requester, { listRoots }) => requester.request(listRoots(options)));
  }

  requestAll<Questions extends { readonly [name: string]: TypedInputRequest<unknown> }>(
    questions: Questions,
  ): Promise<InputResponsesOf<Questions>> {
    return this.#ask((requester) => requester.requestAll(questions));
  }

  /** Sends a request to the client without changes, and returns the response unchanged. */
  request(request: InputRequest): Promise<unknown> {
    return this.#ask((requester, { raw }) => requester.request(raw(request)));
  }

  /** Validates the client's values from the previous round, so values from elsewhere are rejected early. */
  assertRound(): void {
    if (this.params['requestState'] === undefined) return;
    if (this.parts.inputRequesters?.isMultiRoundTrip(this.method) === true) this.#getRequester();
  }

  /** Ends this round with input requests that the handler built itself. Returns whether the call has rounds. */
  endRound(result: InputRequiredResult): boolean {
    return this.#getRequester().endRound?.(result) === true;
  }

  /** Begins another round of the same call. */
  enterRound(round: Round): void {
    this.#getRequester().round = round;
  }

  hasExtension(id: string): boolean {
    return declaresExtension(this.client.capabilities, id);
  }

  #ask<Answer>(
    ask: (requester: InputRequester, build: InputRequestBuilders) => Promise<Answer>,
  ): Promise<Answer> {
    const answer = (async () =>
      ask(this.#getRequester(), (this.parts.inputRequesters ?? NO_CLIENT).builders))();
    // A rejected input request that the handler does not await must not crash the process.
    answer.catch(() => undefined);
    return answer;
  }

  #getRequester(): InputRequester {
    return (this.#requester ??= (this.parts.inputRequesters ?? NO_CLIENT).create(this));
  }

  /** Cancels pending input requests first, so the client is notified before the response. */
  #end(reason: string): void {
    if (this.#isSettled) return;
    this.#requester?.end?.(reason);
    this.#isSettled = true;
  }

  #interrupt(interruption: Interruption, reason: string): void {
    if (this.#isSettled) return;
    this.onInterrupt?.(interruption);
    this.#end(reason);
    this.abort(reason);
  }
}
