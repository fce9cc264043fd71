import type { Context, SpanContext } from '@opentelemetry/api';
import { isObject, type Params } from '../protocol/json-rpc.js';
import type { SpanPlace, Tracing } from './telemetry.js';
import type { CarriedContext } from './trace-context.js';

/** What made a call that runs apart from its request. If nothing is known of it, the client's own span stands for it. */
export interface HostedCause {
  /** The span of the request, if this process served it. */
  readonly cause?: SpanContext | undefined;
  /** What names that span, if another process did. */
  readonly carried?: CarriedContext | undefined;
}

/** The headers of a request. */
type Headers = { readonly [name: string]: string | string[] | undefined };

/**
 * Finds the parent of a message's span. It is the span in `_meta`, with a link to the active span, such as one of an
 * HTTP instrumentation. Without a span in `_meta`, the parent is the active span, or else the span of the HTTP header.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, "Context propagation"
 */
export function findPlace(
  { api, contexts }: Tracing,
  params: Params | undefined,
  headers?: Headers,
): { readonly parent: Context; readonly links: SpanContext[] } {
  const { context, trace } = api;
  const active = context.active();
  const ambient = trace.getSpanContext(active);
  const { _meta: meta } = params ?? {};
  const told = isObject(meta) ? contexts.extract(meta, active) : undefined;
  if (told === undefined && ambient !== undefined) return { parent: active, links: [] };
  const header = headers && contexts.parse(headers['traceparent'], joinHeader(headers['tracestate']));
  if (told === undefined) {
    return { parent: header ? trace.setSpanContext(active, header) : active, links: [] };
  }
  const carrier = ambient ?? header;
  const isOther = carrier !== undefined && carrier.spanId !== trace.getSpanContext(told)?.spanId;
  return { parent: told, links: isOther ? [carrier] : [] };
}

/** Finds the place of the span of a call that outlives its request. It begins a trace, with a link to the span of the request. */
export function findHostedPlace(
  { api, contexts }: Tracing,
  params: Params | undefined,
  { cause, carried }: HostedCause,
): SpanPlace {
  const root = api.ROOT_CONTEXT;
  const { _meta: meta } = params ?? {};
  const source = carried ?? meta;
  const told = isObject(source) ? contexts.extract(source, root) : undefined;
  const link = cause ?? (told && api.trace.getSpanContext(told));
  return { kind: 'internal', parent: root, links: link === undefined ? [] : [link] };
}

function joinHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(',') : value;
}
