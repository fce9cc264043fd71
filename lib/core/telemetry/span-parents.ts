import type { Context, SpanContext } from '@opentelemetry/api';
import { isObject, type Params } from '../protocol/json-rpc.js';
import type { SpanOrigin } from './telemetry.js';
import type { CarriedContext } from './trace-context.js';
import type { Tracing } from './tracing.js';

/** The cause of a call that outlives its request. If there is none, the client's span is used. */
export interface HostedCause {
  /** The request span, if this process served it. */
  readonly cause?: SpanContext | undefined;
  /** That span's context, if another process served it. */
  readonly carried?: CarriedContext | undefined;
}

/** The parent and links of a message's span. */
export interface MessageParent {
  readonly parent: Context;
  readonly links: SpanContext[];
}

/** A request's headers. */
type Headers = { readonly [name: string]: string | string[] | undefined };

/**
 * Finds the parent of a message's span: the span in `_meta`, with a link to the active span, such as one from HTTP
 * instrumentation. Without a span in `_meta`, the parent is the active span, or else the span in the HTTP header.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, "Context propagation"
 */
export function findMessageParent(
  tracing: Tracing,
  params: Params | undefined,
  headers?: Headers,
): MessageParent {
  const { api, contexts, active } = tracing;
  const { trace } = api;
  const ambient = tracing.findSpanContext(active);
  const { _meta: meta } = params ?? {};
  const sent = isObject(meta) ? contexts.extract(meta, active) : undefined;
  if (sent === undefined && ambient !== undefined) return { parent: active, links: [] };
  const header = headers && contexts.parse(headers['traceparent'], joinHeader(headers['tracestate']));
  if (sent === undefined) {
    return { parent: header ? trace.setSpanContext(active, header) : active, links: [] };
  }
  const carrier = ambient ?? header;
  const isOther = carrier !== undefined && carrier.spanId !== tracing.findSpanContext(sent)?.spanId;
  return { parent: sent, links: isOther ? [carrier] : [] };
}

/**
 * Finds the origin of the span for a call that outlives its request. It starts a new trace, with a link to the
 * request's span.
 */
export function findDetachedOrigin(
  tracing: Tracing,
  params: Params | undefined,
  { cause, carried }: HostedCause,
): SpanOrigin {
  const root = tracing.api.ROOT_CONTEXT;
  const { _meta: meta } = params ?? {};
  const source = carried ?? meta;
  const sent = isObject(source) ? tracing.contexts.extract(source, root) : undefined;
  const link = cause ?? (sent && tracing.findSpanContext(sent));
  return { kind: 'internal', parent: root, links: link === undefined ? [] : [link] };
}

function joinHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(',') : value;
}
