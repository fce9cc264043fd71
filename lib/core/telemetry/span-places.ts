import type { Context, SpanContext } from '@opentelemetry/api';
import { isObject, type Params } from '../protocol/json-rpc.js';
import type { SpanPlace } from './telemetry.js';
import type { CarriedContext } from './trace-context.js';
import type { Tracing } from './tracing.js';

/** What made a call that runs apart from its request. If nothing is known of it, the client's own span stands for it. */
export interface HostedCause {
  /** The span of the request, if this process served it. */
  readonly cause?: SpanContext | undefined;
  /** What names that span, if another process did. */
  readonly carried?: CarriedContext | undefined;
}

/** Where the span of a message stands. */
export interface MessagePlace {
  readonly parent: Context;
  readonly links: SpanContext[];
}

/** The headers of a request. */
type Headers = { readonly [name: string]: string | string[] | undefined };

/**
 * Finds the parent of a message's span. It is the span in `_meta`, with a link to the active span, such as one of an
 * HTTP instrumentation. Without a span in `_meta`, the parent is the active span, or else the span of the HTTP header.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, "Context propagation"
 */
export function findPlace(tracing: Tracing, params: Params | undefined, headers?: Headers): MessagePlace {
  const { api, contexts, active } = tracing;
  const { trace } = api;
  const ambient = tracing.findSpanContext(active);
  const { _meta: meta } = params ?? {};
  const told = isObject(meta) ? contexts.extract(meta, active) : undefined;
  if (told === undefined && ambient !== undefined) return { parent: active, links: [] };
  const header = headers && contexts.parse(headers['traceparent'], joinHeader(headers['tracestate']));
  if (told === undefined) {
    return { parent: header ? trace.setSpanContext(active, header) : active, links: [] };
  }
  const carrier = ambient ?? header;
  const isOther = carrier !== undefined && carrier.spanId !== tracing.findSpanContext(told)?.spanId;
  return { parent: told, links: isOther ? [carrier] : [] };
}

/** Finds the place of the span of a call that outlives its request. It begins a trace, with a link to the span of the request. */
export function findHostedPlace(
  tracing: Tracing,
  params: Params | undefined,
  { cause, carried }: HostedCause,
): SpanPlace {
  const root = tracing.api.ROOT_CONTEXT;
  const { _meta: meta } = params ?? {};
  const source = carried ?? meta;
  const told = isObject(source) ? tracing.contexts.extract(source, root) : undefined;
  const link = cause ?? (told && tracing.findSpanContext(told));
  return { kind: 'internal', parent: root, links: link === undefined ? [] : [link] };
}

function joinHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(',') : value;
}
