import { isObject, type JsonRpcRequest } from '../../protocol/json-rpc.js';
import type { RequestSpan } from '../../telemetry/request-span.interface.js';

/** Says on a span what turned out to be asked for. */
export function describeRequest(span: RequestSpan, { method, params = {} }: JsonRpcRequest): void {
  const { name, _meta: meta } = params;
  const isNamed = method === 'tools/call' || method === 'prompts/get';
  span.rename(isNamed && typeof name === 'string' ? `${method} ${name.slice(0, 128)}` : method);
  span.set('mcp.method.name', method);
  const traceparent = isObject(meta) ? meta['traceparent'] : undefined;
  if (typeof traceparent === 'string') span.link(traceparent);
}
