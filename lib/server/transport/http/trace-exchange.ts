import { isObject, type JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import type { RequestSpan } from '../../telemetry/request-span.interface.js';

/** Records the request on a span, and links it to the span that the body of the request names. */
export function describeRequest(span: RequestSpan, request: JsonRpcRequest): void {
  nameRequest(span, request);
  const meta = request.params?.['_meta'];
  const traceparent = isObject(meta) ? meta['traceparent'] : undefined;
  if (typeof traceparent === 'string') span.link(traceparent);
}

/** Names a span after the request. */
export function nameRequest(span: RequestSpan, { method, params = {} }: JsonRpcRequest): void {
  const { name } = params;
  const isNamed = method === 'tools/call' || method === 'prompts/get';
  span.rename(isNamed && typeof name === 'string' ? `${method} ${name.slice(0, 128)}` : method);
  span.set('mcp.method.name', method);
}
