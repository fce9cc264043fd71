import type { Context, Link, SpanContext, SpanKind } from '@opentelemetry/api';
import { escapeText } from '../../core/log/escape-text.js';
import { type ErrorLogger, explainError } from '../../core/log/describe-failure.js';
import { Observers } from '../../core/log/observers.js';
import type { JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import {
  Attribute,
  nameSpan,
  type SpanAttributes,
  truncateAttributes,
  truncateValue,
} from '../../core/telemetry/operation-facts.js';
import { importTelemetryApi, parseTraceparent } from '../../core/telemetry/trace-context.js';
import type { TracerProvider } from '../../core/telemetry/telemetry-options.js';
import { type RecordedSpan, Tracing } from '../../core/telemetry/tracing.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';
import { ALL_KNOWN, type KnownNames } from './message-facts.js';

/** The requested operation. */
type RequestedOperation = Pick<JsonRpcRequest, 'method' | 'params'>;

/** One request's span, to which the server's parts add details. */
export type RequestSpan = Pick<TracedRequest, keyof TracedRequest>;

const LONGEST_METHOD = 128;

/** A request as an OpenTelemetry span. */
class TracedRequest {
  #hasEnded = false;

  constructor(
    private readonly tracing: Tracing,
    /** Absent if its tracer failed. */
    private readonly span: RecordedSpan | undefined,
    /** Determines which names may become the span name. @default none */
    private readonly known?: KnownNames,
  ) {}

  /** Sets an attribute. */
  set(name: string, value: string | number | boolean): void {
    this.span?.set({ [name]: truncateValue(value) });
  }

  /** Describes the requested operation, and names the span after it if the server has that operation. */
  describe({ method, params }: RequestedOperation): void {
    this.set(Attribute.method, escapeText(method, LONGEST_METHOD));
    const { known } = this;
    if (known === undefined) return;
    const hasKnownMethod = known.hasMethod(method);
    this.span?.rename(
      nameSpan({ method, params, hasKnownMethod, hasKnownTarget: known.hasTarget(method, params) }),
    );
  }

  /** Links the span to one that the request's body names with a W3C Trace Context `traceparent`. */
  link(traceparent: string): void {
    const context = parseTraceparent(traceparent);
    if (context !== undefined) this.span?.link({ context });
  }

  /** Runs a function as part of the span, so that spans started in it are its children. */
  run<Result>(act: () => Result): Result {
    return this.span === undefined ? act() : this.tracing.runIn(this.span.within(this.tracing.active), act);
  }

  /** Runs a function in a child span, which ends with the function's promise. */
  runChild<Result>(name: string, attributes: SpanAttributes, act: () => Promise<Result>): Promise<Result> {
    const { active, api } = this.tracing;
    const parent = this.span?.within(active) ?? active;
    return runSpan(this.tracing, { name, kind: api.SpanKind.INTERNAL, attributes, parent, act });
  }

  /** Marks the request as failed, with a description. */
  fail(description: string): void {
    this.span?.fail(description);
  }

  /** Ends the span, once. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.span?.end();
  }
}

/** A request's headers. */
export type TraceHeaders = { readonly [name: string]: string | readonly string[] | undefined };

/** Traces a server's requests. Exists only if a tracer provider is configured. */
export class RequestTracing {
  /** Recognizes the names that exist on the server; set later. @default every name is known */
  known: KnownNames = ALL_KNOWN;

  private constructor(
    private readonly tracing: Tracing,
    private readonly isNamed: boolean,
  ) {}

  /**
   * Loads the tracing package.
   *
   * @param isNamed whether spans are named after the requested operations
   * @throws {McpConfigurationError} if `@opentelemetry/api` is not installed
   */
  static async load(given: GivenTracer, isNamed = true): Promise<RequestTracing> {
    return new RequestTracing(await loadTracer(given), isNamed);
  }

  /**
   * Starts a request span as a child of the span in its `traceparent` header. Without a valid header, it starts a new
   * trace.
   *
   * @see W3C Trace Context
   */
  startRequest(headers: TraceHeaders): RequestSpan {
    const { api, active } = this.tracing;
    const caller = this.#findCaller(headers);
    const parent = caller ? api.trace.setSpanContext(active, caller) : api.trace.deleteSpan(active);
    const links = this.#findLinks(active);
    const span = this.tracing.start('mcp.request', { kind: api.SpanKind.SERVER, links }, parent);
    return new TracedRequest(this.tracing, span, this.isNamed ? this.known : undefined);
  }

  #findCaller({ traceparent, tracestate = '' }: TraceHeaders): SpanContext | undefined {
    const caller = parseTraceparent(traceparent);
    const state = typeof tracestate === 'string' ? tracestate : tracestate.join(',');
    if (caller === undefined || state === '') return caller;
    return { ...caller, traceState: this.tracing.api.createTraceState(state) };
  }

  /** An active application span, such as one from HTTP instrumentation, is not the caller's span. */
  #findLinks(active: Context): Link[] {
    const surrounding = this.tracing.findSpanContext(active);
    return surrounding === undefined ? [] : [{ context: surrounding }];
  }
}

/** Traces how an issuer's keys are fetched. Exists only if a tracer provider is configured for it. */
export class KeyFetchTracing {
  private constructor(private readonly tracing: Tracing) {}

  /**
   * Loads the tracing package.
   *
   * @throws {McpConfigurationError} if `@opentelemetry/api` is not installed
   */
  static async load(given: GivenTracer): Promise<KeyFetchTracing> {
    return new KeyFetchTracing(await loadTracer(given));
  }

  /** Runs a fetch in a child span of the active one. A status of 400 or more is a failure. */
  async runFetch<Result extends { readonly status: number }>(
    url: string,
    act: () => Promise<Result>,
  ): Promise<Result> {
    const { active, api } = this.tracing;
    const attributes = { 'http.request.method': 'GET', 'url.full': withoutSecrets(url) };
    const span = {
      name: 'auth.jwks_fetch',
      kind: api.SpanKind.CLIENT,
      attributes,
      parent: active,
      act,
      findFailure: ({ status }: Result) => (status < 400 ? undefined : `responded with status ${status}`),
    };
    return runSpan(this.tracing, span);
  }
}

/** A URL's query and user information may be secret. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** A span that lasts for as long as a function runs. */
interface RunningSpan<Result> {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: SpanAttributes;
  /** The context in which the span is started. */
  readonly parent: Context;
  readonly act: () => Promise<Result>;
  /** Describes why a result is a failure, although nothing was thrown. */
  readonly findFailure?: (result: Result) => string | undefined;
}

/** Runs a function in a new span, which is active inside the function and records its failure. */
async function runSpan<Result>(
  tracing: Tracing,
  { name, kind, attributes, parent, act, findFailure }: RunningSpan<Result>,
): Promise<Result> {
  const span = tracing.start(name, { kind, attributes: truncateAttributes(attributes) }, parent);
  if (span === undefined) return act();
  try {
    const result = await tracing.runIn(span.context, act);
    const failure = findFailure?.(result);
    if (failure !== undefined) span.fail(failure);
    return result;
  } catch (error) {
    span.fail(explainError(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The application's tracer provider, and where its failures are logged. */
interface GivenTracer {
  readonly provider: TracerProvider;
  /** The option that names the provider. */
  readonly option: string;
  readonly logger: ErrorLogger;
}

/**
 * Loads the span package, which only tracing needs.
 *
 * @throws {McpConfigurationError} if `@opentelemetry/api` is not installed
 */
async function loadTracer({ provider, option, logger }: GivenTracer): Promise<Tracing> {
  const api = await importTelemetryApi(
    (expected, cause) => new McpConfigurationError(option, expected, { cause }),
  );
  return new Tracing(api, provider, new Observers(logger));
}
