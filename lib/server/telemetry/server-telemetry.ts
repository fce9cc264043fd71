import { LRUCache } from 'lru-cache';
import type { Attributes, SpanContext } from '@opentelemetry/api';
import type { ErrorLogger } from '../../core/log/describe-failure.js';
import { Attribute, type NetworkFacts, type OperationFacts } from '../../core/telemetry/operation-facts.js';
import { isTelemetryWanted, type TelemetryOptions } from '../../core/telemetry/telemetry-options.js';
import { type Operation, Telemetry } from '../../core/telemetry/telemetry.js';
import { judgeRefusal } from '../../core/telemetry/outcome.js';
import { findDetachedOrigin, findMessageParent } from '../../core/telemetry/span-parents.js';
import type { CarriedContext } from '../../core/telemetry/trace-context.js';
import type { Tracing } from '../../core/telemetry/tracing.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';
import { ObservedCall } from './observed-call.js';
import {
  createCounters,
  Gauges,
  type GaugeSources,
  TelemetryName,
  type ServerCounters,
} from './instruments.js';
import {
  ALL_KNOWN,
  buildFacts,
  type KnownNames,
  type NamedSession,
  readMessage,
  type ServedMessage,
} from './message-facts.js';
import { findClient, findNetwork, type RequestSource } from './network.js';
import { type Refusal, type RefusalReason, selectRefusalReason } from './refusal.js';

/** The number of tasks whose spans are known; requests for other tasks are not linked. */
const MOST_TASKS = 1000;

/** The spans in which tasks run, so that requests for a task can be linked to it. */
class TaskSpans {
  readonly #spans = new LRUCache<string, SpanContext>({ max: MOST_TASKS });

  note(taskId: string, span: SpanContext | undefined): void {
    if (span !== undefined) this.#spans.set(taskId, span);
  }

  find(taskId: unknown): SpanContext | undefined {
    return typeof taskId === 'string' ? this.#spans.get(taskId) : undefined;
  }
}

/** Propagates the active trace context to other processes with an operation. */
class ForwardedTraces {
  constructor(private readonly tracing: Tracing) {}

  /** Returns the active span's context, or `undefined` if none is active. */
  carry(): CarriedContext | undefined {
    const { active, contexts } = this.tracing;
    return this.tracing.findSpanContext(active) === undefined ? undefined : contexts.carry(active);
  }

  /** Runs a function in the context that another process sent. */
  resume<Result>(carried: CarriedContext, act: () => Result): Result {
    const { active, contexts } = this.tracing;
    const remote = contexts.extract(carried, active);
    return remote === undefined ? act() : this.tracing.runIn(remote, act);
  }
}

/** A call that runs separately from the request that made it. */
export interface HostedOrigin {
  /** The task that runs the call. */
  readonly taskId?: string | undefined;
  /** The request span, if this process served it. */
  readonly cause?: object | undefined;
  /** That span's trace context, if another process served the request. */
  readonly carried?: CarriedContext | undefined;
}

/** A session that has ended. */
export interface EndedSession {
  readonly revision: { readonly version: string };
}

/** The result of validating a token. */
export type TokenResult = 'cached' | 'validated' | 'refused' | 'unavailable';

/** The span name for a refused request whose method the server does not support. */
const REFUSED = 'mcp.refused';

/** Records what a server does. Exists only if a provider is configured. */
export class ServerTelemetry {
  /** Recognizes the names that exist on the server; set later. @default every name is known */
  known: KnownNames = ALL_KNOWN;
  /** Absent if no spans are recorded. */
  readonly traces: ForwardedTraces | undefined;
  readonly #own: ServerCounters | undefined;
  readonly #tasks = new TaskSpans();
  /** The sessions' network attributes. */
  readonly #networks = new WeakMap<object, NetworkFacts>();

  private constructor(
    readonly telemetry: Telemetry,
    /** The server key in the application. */
    private readonly server: string,
  ) {
    this.traces = telemetry.tracing && new ForwardedTraces(telemetry.tracing);
    this.#own = telemetry.meter && createCounters(telemetry.meter);
  }

  /**
   * Loads OpenTelemetry. Returns `undefined` if no provider is configured.
   *
   * @throws {McpConfigurationError} if `@opentelemetry/api` is needed but not installed
   */
  static async load(
    options: TelemetryOptions | undefined,
    server: string,
    logger: ErrorLogger,
  ): Promise<ServerTelemetry | undefined> {
    if (!isTelemetryWanted(options)) return undefined;
    const explain = (expected: string, cause: unknown): Error =>
      new McpConfigurationError('telemetry.tracerProvider', expected, { cause });
    const telemetry = await Telemetry.load('server', options, { explain, logger });
    return new ServerTelemetry(telemetry, server);
  }

  /** The attributes of signals that the semantic conventions do not define. */
  get serverAttributes(): Attributes {
    return { [TelemetryName.server]: this.server };
  }

  /** Starts recording a client's message. */
  startMessage(message: ServedMessage, carriage: RequestSource): ObservedCall {
    const { tracing } = this.telemetry;
    const network = findNetwork(carriage);
    this.#noteNetwork(message.session, network);
    const client = tracing && findClient(carriage);
    const session = tracing && this.nameSession(message.session);
    const facts = buildFacts(message, { id: message.id, session, network, client });
    const place = tracing && findMessageParent(tracing, message.params, carriage.http?.headers);
    const task = this.#tasks.find(message.params?.['taskId']);
    if (task !== undefined) place?.links.push(task);
    const { parent, links } = place ?? {};
    return this.#follow(this.telemetry.start(facts, { kind: 'server', parent, links }));
  }

  /** Starts recording a call that runs separately from its request. */
  startHosted(message: ServedMessage, { taskId, cause, carried }: HostedOrigin): ObservedCall {
    const { tracing } = this.telemetry;
    const origin = { cause: cause as SpanContext | undefined, carried };
    const place = tracing && findDetachedOrigin(tracing, message.params, origin);
    // Its id is internal.
    const facts = buildFacts(message, { session: tracing && this.nameSession(message.session) });
    const call = this.#follow(this.telemetry.start(facts, place ?? { kind: 'internal' }));
    if (taskId !== undefined) this.#tasks.note(taskId, call.spanContext);
    return call;
  }

  #follow(operation: Operation): ObservedCall {
    return new ObservedCall(this.telemetry, operation, (tool) => {
      this.#own?.repairedCalls.add(1, { ...this.serverAttributes, [Attribute.tool]: tool });
    });
  }

  /** Returns a session's name in spans. */
  nameSession(session: NamedSession | undefined): string | undefined {
    return this.telemetry.capturesSessionIds ? session?.id : session?.fingerprint;
  }

  #noteNetwork(session: object | undefined, network: NetworkFacts | undefined): void {
    if (session === undefined || network === undefined) return;
    if (this.#networks.get(session) !== network) this.#networks.set(session, network);
  }

  /** Counts a request that was refused. */
  countRefusal(reason: RefusalReason): void {
    this.#own?.refusedRequests.add(1, { ...this.serverAttributes, [TelemetryName.refusalReason]: reason });
  }

  /** Records a request that did not reach a method. Returns its span's trace, if there is one. */
  recordRefusal(refusal: Refusal): string | undefined {
    const { error, status, message } = refusal;
    const reason = refusal.reason ?? selectRefusalReason(status, error.code);
    this.countRefusal(reason);
    const { tracing } = this.telemetry;
    if (tracing === undefined) return undefined;
    const { method = '', params, id } = readMessage(message);
    const network = findNetwork(refusal);
    const facts: OperationFacts = { method, params, id, network, client: findClient(refusal) };
    const { parent, links } = findMessageParent(tracing, params, refusal.http?.headers);
    const { SpanKind } = tracing.api;
    const { errorType } = judgeRefusal(error, status);
    const attributes = {
      ...this.telemetry.describe(facts),
      ...(method === '' && { [Attribute.method]: undefined }),
      ...(errorType !== undefined && { [Attribute.errorType]: errorType }),
      [Attribute.statusCode]: String(error.code),
      [TelemetryName.refusalReason]: reason,
      'http.response.status_code': status,
    };
    const options = { kind: SpanKind.SERVER, attributes, links: links.map((context) => ({ context })) };
    const name = this.known.hasMethod(method) && method !== '' ? method : REFUSED;
    const span = tracing.start(name, options, parent);
    if (errorType !== undefined) span?.fail(error.message);
    span?.end();
    return span?.spanContext?.traceId;
  }

  /** Reports the server's state as metrics. Returns `undefined` if no metrics are recorded. */
  observe(observed: GaugeSources): Gauges | undefined {
    const { meter } = this.telemetry;
    return meter && new Gauges(meter, observed, this.serverAttributes);
  }

  /** Records a session that has ended. */
  recordSession(session: EndedSession, seconds: number): void {
    const network = this.#networks.get(session);
    this.telemetry.recordSession(seconds, { version: session.revision.version, network });
  }

  /** Counts a token. */
  recordToken(result: TokenResult): void {
    this.#own?.tokens.add(1, { ...this.serverAttributes, [TelemetryName.tokenResult]: result });
  }

  /** Counts an event of the authorization server. */
  countAuthorization(type: string, outcome: string): void {
    this.#own?.authorizations.add(1, {
      ...this.serverAttributes,
      [TelemetryName.authorizationType]: type,
      [TelemetryName.authorizationOutcome]: outcome,
    });
  }

  /** Counts a task that has ended here. */
  recordTaskEnd(status: string): void {
    this.#own?.endedTasks.add(1, { ...this.serverAttributes, [TelemetryName.taskStatus]: status });
  }

  /** Counts an audit event that a subscriber missed. */
  recordDroppedAuditEvent(): void {
    this.#own?.droppedAuditEvents.add(1, this.serverAttributes);
  }

  /** Measures a fetch of an issuer's keys. A status of 400 or more is a failure. */
  async measureFetch<Result extends { readonly status: number }>(
    url: string,
    act: () => Promise<Result>,
  ): Promise<Result> {
    const startedAt = performance.now();
    let errorType: string | undefined = 'no_answer';
    try {
      const result = await act();
      errorType = result.status < 400 ? undefined : String(result.status);
      return result;
    } finally {
      this.#own?.keyFetches.record((performance.now() - startedAt) / 1000, {
        ...this.serverAttributes,
        [Attribute.serverAddress]: new URL(url).hostname,
        ...(errorType !== undefined && { [Attribute.errorType]: errorType }),
      });
    }
  }
}
