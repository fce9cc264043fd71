import type { Link, SpanContext } from '@opentelemetry/api';
import type { TracerProvider } from '../../core/telemetry/providers.interface.js';
import { loadTracer, type LoadedTracer } from './load-tracer.js';
import { parseTraceparent } from '../../core/telemetry/parse-traceparent.js';
import type { RequestSpan } from './request-span.interface.js';
import { TracedRequest } from './traced-request.js';

/** The headers of a request. */
export type TraceHeaders = { readonly [name: string]: string | readonly string[] | undefined };

/** Traces the requests of a server; made only if a tracer provider is configured. */
export class RequestTracing {
  private constructor(
    private readonly loaded: LoadedTracer,
    private readonly isNamed: boolean,
  ) {}

  /**
   * Loads the package for traces.
   *
   * @param option the option that names the provider
   * @param isNamed whether spans take the names of the operations that their requests ask for
   * @throws {McpConfigurationError} if `@opentelemetry/api` is not installed
   */
  static async load(provider: TracerProvider, option: string, isNamed = true): Promise<RequestTracing> {
    return new RequestTracing(await loadTracer(provider, option), isNamed);
  }

  /**
   * Starts the span of a request, below the span in its `traceparent` header. Without a valid header it begins a trace.
   *
   * @see W3C Trace Context
   */
  startRequest(headers: TraceHeaders): RequestSpan {
    const { api, tracer } = this.loaded;
    const active = api.context.active();
    const caller = this.#findCaller(headers);
    const parent = caller ? api.trace.setSpanContext(active, caller) : api.trace.deleteSpan(active);
    const span = tracer.startSpan(
      'mcp.request',
      { kind: api.SpanKind.SERVER, links: this.#findLinks() },
      parent,
    );
    return new TracedRequest(this.loaded, span, this.isNamed);
  }

  #findCaller({ traceparent, tracestate = '' }: TraceHeaders): SpanContext | undefined {
    const caller = parseTraceparent(traceparent);
    const state = typeof tracestate === 'string' ? tracestate : tracestate.join(',');
    if (caller === undefined || state === '') return caller;
    return { ...caller, traceState: this.loaded.api.createTraceState(state) };
  }

  /** An active span of the application, such as one of an HTTP instrumentation, is not the caller's span. */
  #findLinks(): Link[] {
    const { context, trace } = this.loaded.api;
    const surrounding = trace.getSpanContext(context.active());
    return surrounding === undefined ? [] : [{ context: surrounding }];
  }
}
