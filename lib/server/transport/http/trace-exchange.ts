import { isObject, type JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import type { RequestSpan } from '../../telemetry/request-tracing.js';

/** Records the request on a span, and links it to the span that the body of the request names. */
export function describeRequest(span: RequestSpan, request: JsonRpcRequest): void {
  span.describe(request);
  const meta = request.params?.['_meta'];
  const traceparent = isObject(meta) ? meta['traceparent'] : undefined;
  if (typeof traceparent === 'string') span.link(traceparent);
}
