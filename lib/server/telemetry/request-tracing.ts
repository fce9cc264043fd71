import type { Context, Link, SpanContext } from '@opentelemetry/api';
import { escapeText } from '../../core/log/escape-text.js';
import { Attribute } from '../../core/telemetry/attribute-names.js';
import { boundValue, type SpanAttributes } from '../../core/telemetry/bound-text.js';
import { nameSpan } from '../../core/telemetry/operation-facts.js';
import { parseTraceparent } from '../../core/telemetry/parse-traceparent.js';
import type { RecordedSpan, Tracing } from '../../core/telemetry/tracing.js';
import { ALL_KNOWN, type KnownNames } from './known-names.interface.js';
import { loadTracer, type GivenTracer } from './load-tracer.js';
import type { Asked, RequestSpan } from './request-span.interface.js';
import { runSpan } from './run-span.js';

const LONGEST_METHOD = 128;

/** A request as OpenTelemetry's span. */
class TracedRequest implements RequestSpan {
  #hasEnded = false;

  constructor(
    private readonly tracing: Tracing,
    /** Absent if its tracer failed. */
    private readonly span: RecordedSpan | undefined,
    /** Tells what may name the span. @default nothing */
    private readonly known?: KnownNames,
  ) {}

  set(name: string, value: string | number | boolean): void {
    this.span?.set({ [name]: boundValue(value) });
  }

  describe({ method, params }: Asked): void {
    this.set(Attribute.method, escapeText(method, LONGEST_METHOD));
    const { known } = this;
    if (known === undefined) return;
    const hasKnownMethod = known.hasMethod(method);
    this.span?.rename(
      nameSpan({ method, params, hasKnownMethod, hasKnownTarget: known.hasTarget(method, params) }),
    );
  }

  link(traceparent: string): void {
    const context = parseTraceparent(traceparent);
    if (context !== undefined) this.span?.link({ context });
  }

  run<Result>(act: () => Result): Result {
    return this.span === undefined ? act() : this.tracing.runIn(this.span.within(this.tracing.active), act);
  }

  runChild<Result>(name: string, attributes: SpanAttributes, act: () => Promise<Result>): Promise<Result> {
    const { active, api } = this.tracing;
    const parent = this.span?.within(active) ?? active;
    return runSpan(this.tracing, { name, kind: api.SpanKind.INTERNAL, attributes, parent, act });
  }

  fail(description: string): void {
    this.span?.fail(description);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.span?.end();
  }
}

/** The headers of a request. */
export type TraceHeaders = { readonly [name: string]: string | readonly string[] | undefined };

/** Traces the requests of a server; made only if a tracer provider is configured. */
export class RequestTracing {
  /** Tells what the server has; set by the part that knows. @default everything is known */
  known: KnownNames = ALL_KNOWN;

  private constructor(
    private readonly tracing: Tracing,
    private readonly isNamed: boolean,
  ) {}

  /**
   * Loads the package for traces.
   *
   * @param isNamed whether spans take the names of the operations that their requests ask for
   * @throws {McpConfigurationError} if `@opentelemetry/api` is not installed
   */
  static async load(given: GivenTracer, isNamed = true): Promise<RequestTracing> {
    return new RequestTracing(await loadTracer(given), isNamed);
  }

  /**
   * Starts the span of a request, below the span in its `traceparent` header. Without a valid header it begins a trace.
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

  /** An active span of the application, such as one of an HTTP instrumentation, is not the caller's span. */
  #findLinks(active: Context): Link[] {
    const surrounding = this.tracing.findSpanContext(active);
    return surrounding === undefined ? [] : [{ context: surrounding }];
  }
}
