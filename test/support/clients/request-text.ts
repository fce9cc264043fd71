import { PER_REQUEST_VERSION } from './json-rpc.js';
import { metaKey } from './message.js';

/** Formats the head of a request, its blank line included. */
export function formatHead(method: string, headers: Readonly<Record<string, unknown>> = {}): string {
  const all = { host: 'localhost', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} /mcp HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}

/** Formats a POST. */
export function formatPost(body: string, headers: Readonly<Record<string, unknown>> = {}): string {
  return (
    formatHead('POST', {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    }) + body
  );
}

/** Formats a tool call of the stateless wire. */
export function formatCall(name: string, given: object = {}): string {
  const _meta = {
    [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
    [metaKey('clientCapabilities')]: {},
    progressToken: 1,
  };
  return formatPost(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given, _meta },
    }),
    { 'mcp-protocol-version': PER_REQUEST_VERSION, 'mcp-method': 'tools/call', 'mcp-name': name },
  );
}
