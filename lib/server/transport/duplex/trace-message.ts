import { isObject, type JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import { recordCaller } from '../../auth/request-span.js';
import type { Authentication } from '../../context/authentication.js';
import type { RequestSpan, RequestTracing } from '../../telemetry/request-tracing.js';

/**
 * Starts the span of a request that comes without headers, below the one that its `_meta` names.
 *
 * @see MCP 2026-07-28 basic, "Trace context"
 */
export function traceMessage(
  tracing: RequestTracing,
  request: JsonRpcRequest,
  authentication: Authentication | undefined,
): RequestSpan {
  const meta = request.params?.['_meta'];
  const { traceparent, tracestate } = isObject(meta) ? meta : {};
  const span = tracing.startRequest({ traceparent: onlyText(traceparent), tracestate: onlyText(tracestate) });
  span.describe(request);
  if (authentication !== undefined) {
    span.set('mcp.auth.method', authentication.method);
    // The token was validated when the connection was made.
    recordCaller(span, authentication, true);
  }
  return span;
}

function onlyText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
