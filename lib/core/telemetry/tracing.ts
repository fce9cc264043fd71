import type { Attributes, Context, Link, Span, SpanContext, SpanOptions, Tracer } from '@opentelemetry/api';
import type { Observers } from '../log/observers.js';
import { readOwnPackage } from '../package/own-package.js';
import { truncate } from './operation-facts.js';
import { type TelemetryApi, TraceContext } from './trace-context.js';
import type { TracerProvider } from './telemetry-options.js';

const TRACER = 'A tracer';
const CONTEXT_MANAGER = 'Context management';

/** Creates spans with the application's tracer provider. Its failures are only logged. */
export class Tracing {
  readonly contexts: TraceContext;
  readonly #tracer: Tracer | undefined;

  constructor(
    readonly api: TelemetryApi,
    provider: TracerProvider,
    readonly observers: Observers,
  ) {
    this.contexts = new TraceContext(api, observers);
    const { name, version } = readOwnPackage();
    this.#tracer = observers.run(TRACER, () => {
      const tracer = provider.getTracer(name, version) as Partial<Tracer> | undefined;
      if (typeof tracer?.startSpan !== 'function') throw new TypeError('"getTracer()" returned no tracer');
      return tracer as Tracer;
    });
  }

  /** The active context. */
  get active(): Context {
    const { api, observers } = this;
    return observers.run(CONTEXT_MANAGER, () => api.context.active()) ?? api.ROOT_CONTEXT;
  }

  /** Finds a context's span, which may be the application's. Returns `undefined` if there is none. */
  findSpanContext(context: Context): SpanContext | undefined {
    return this.observers.run(TRACER, () => this.api.trace.getSpanContext(context));
  }

  /** Starts a span. Returns `undefined` if its tracer fails. */
  start(name: string, options: SpanOptions, parent: Context): RecordedSpan | undefined {
    const span = this.observers.run(TRACER, () => this.#tracer?.startSpan(name, options, parent));
    if (span === undefined) return undefined;
    const spanContext = this.observers.run(TRACER, () => span.spanContext());
    // A context without a valid span ID would fail wherever it is used.
    if (typeof spanContext?.traceId !== 'string') return undefined;
    return new RecordedSpan(this, { span, spanContext, parent });
  }

  /** Runs a function in a context, once. */
  runIn<Result>(context: Context, act: () => Result): Result {
    let outcome: { readonly result: Result } | { readonly error: unknown } | undefined;
    const runOnce = (): void => {
      if (outcome === undefined) outcome = settle(act);
    };
    this.observers.run(CONTEXT_MANAGER, () => this.api.context.with(context, runOnce));
    outcome ??= settle(act);
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }
}

/** A span as started by its tracer. */
interface StartedSpan {
  readonly span: Span;
  readonly spanContext: SpanContext;
  readonly parent: Context;
}

/** A span that tolerates tracer failures. */
export class RecordedSpan {
  /** The context where it is active. */
  readonly context: Context;
  /** Its identity for other spans. */
  readonly spanContext: SpanContext;
  readonly #span: Span;

  constructor(
    private readonly tracing: Tracing,
    { span, spanContext, parent }: StartedSpan,
  ) {
    this.#span = span;
    this.spanContext = spanContext;
    this.context = this.within(parent);
  }

  /** Returns a context where it is active. */
  within(context: Context): Context {
    return this.tracing.api.trace.setSpan(context, this.#span);
  }

  get isRecording(): boolean {
    return this.#run((span) => span.isRecording()) === true;
  }

  set(attributes: Attributes): void {
    this.#run((span) => span.setAttributes(attributes));
  }

  rename(name: string): void {
    this.#run((span) => span.updateName(name));
  }

  link(link: Link): void {
    // The application chooses the SDK, and older SDKs have no such method.
    this.#run((span: Partial<Pick<Span, 'addLink'>>) => span.addLink?.(link));
  }

  /** Marks it as failed. */
  fail(message: string | undefined): void {
    const code = this.tracing.api.SpanStatusCode.ERROR;
    const status = message === undefined ? { code } : { code, message: truncate(message) };
    this.#run((span) => span.setStatus(status));
  }

  end(): void {
    this.#run((span) => span.end());
  }

  #run<Result>(act: (span: Span) => Result): Result | undefined {
    return this.tracing.observers.run(TRACER, () => act(this.#span));
  }
}

function settle<Result>(act: () => Result): { readonly result: Result } | { readonly error: unknown } {
  try {
    return { result: act() };
  } catch (error) {
    return { error };
  }
}
