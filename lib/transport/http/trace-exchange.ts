import { isObject, type JsonRpcRequest } from '../../protocol/json-rpc.js';
import type { RequestSpan } from '../../telemetry/request-span.interface.js';
import type { HttpExchange } from './http-exchange.js';

/** Ends the span of a request when its answer is over, with the status of that. */
export function endSpanWithAnswer({ authState, response }: HttpExchange): void {
  const span = authState?.span;
  if (span === undefined) return;
  response.once('close', () => {
    span.set('http.response.status_code', response.statusCode);
    span.end();
  });
}

/** Says on a span what turned out to be asked for. */
export function describeRequest(span: RequestSpan, { method, params = {} }: JsonRpcRequest): void {
  const { name, _meta: meta } = params;
  const isNamed = method === 'tools/call' || method === 'prompts/get';
  span.rename(isNamed && typeof name === 'string' ? `${method} ${name.slice(0, 128)}` : method);
  span.set('mcp.method.name', method);
  const traceparent = isObject(meta) ? meta['traceparent'] : undefined;
  if (typeof traceparent === 'string') span.link(traceparent);
}
