/** The two kinds of protocol revision: a session opened by a handshake, or everything in each request. */
export type Wire = 'handshake' | 'perRequest';

export const PROTOCOL_VERSIONS: Record<Wire, string> = {
  handshake: '2025-11-25',
  perRequest: '2026-07-28',
};

const CLIENT_INFO = { name: 'bench-client', version: '1.0.0' };

export interface RpcMessage {
  method: string;
  params: Record<string, unknown>;
}

/** Says how a request reaches a server: the revision it speaks and the session it belongs to, if any. */
export interface Destination {
  port: number;
  /** What opens a protected server. */
  token?: string | undefined;
  wire: Wire;
  sessionId?: string | undefined;
}

export function buildInitialize(): RpcMessage {
  return {
    method: 'initialize',
    params: { protocolVersion: PROTOCOL_VERSIONS.handshake, capabilities: {}, clientInfo: CLIENT_INFO },
  };
}

/** Builds the headers and body of a POST in the destination's revision; `id` is left out for a notification. */
export function buildPost(destination: Destination, message: RpcMessage, id?: number): Buffer {
  const params = destination.wire === 'perRequest' ? withRequestMeta(message.params) : message.params;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    method: message.method,
    ...(Object.keys(params).length === 0 ? {} : { params }),
  });
  const headers = [
    ...formatHeaders('POST', destination),
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...(destination.wire === 'perRequest' ? formatRoutingHeaders(message) : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** Builds the GET that opens a session's stream. */
export function buildStreamRequest(destination: Destination): Buffer {
  const headers = [...formatHeaders('GET', destination), 'Accept: text/event-stream'];
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n`);
}

/** Builds the DELETE that ends a session. */
export function buildSessionEnd(destination: Destination): Buffer {
  return Buffer.from(`${formatHeaders('DELETE', destination).join('\r\n')}\r\n\r\n`);
}

function withRequestMeta(params: Record<string, unknown>): Record<string, unknown> {
  return {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSIONS.perRequest,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    },
  };
}

function formatHeaders(httpMethod: string, { port, token, wire, sessionId }: Destination): string[] {
  return [
    `${httpMethod} /mcp HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(wire === 'perRequest' || sessionId !== undefined
      ? [`MCP-Protocol-Version: ${PROTOCOL_VERSIONS[wire]}`]
      : []),
    ...(sessionId === undefined ? [] : [`Mcp-Session-Id: ${sessionId}`]),
  ];
}

function formatRoutingHeaders({ method, params }: RpcMessage): string[] {
  const name = params['name'] ?? params['uri'];
  return [`Mcp-Method: ${method}`, ...(typeof name === 'string' ? [`Mcp-Name: ${name}`] : [])];
}
