export const PROTOCOL_VERSIONS = {
    handshake: '2025-11-25',
    perRequest: '2026-07-28',
};
const CLIENT_INFO = { name: 'bench-client', version: '1.0.0' };
export function buildInitialize() {
    return {
        method: 'initialize',
        params: { protocolVersion: PROTOCOL_VERSIONS.handshake, capabilities: {}, clientInfo: CLIENT_INFO },
    };
}
/** Builds the headers and body of a POST in the destination's revision; `id` is left out for a notification. */
export function buildPost(destination, message, id) {
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
export function buildStreamRequest(destination) {
    const headers = [...formatHeaders('GET', destination), 'Accept: text/event-stream'];
    return Buffer.from(`${headers.join('\r\n')}\r\n\r\n`);
}
/** Builds the DELETE that ends a session. */
export function buildSessionEnd(destination) {
    return Buffer.from(`${formatHeaders('DELETE', destination).join('\r\n')}\r\n\r\n`);
}
function withRequestMeta(params) {
    return {
        ...params,
        _meta: {
            'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSIONS.perRequest,
            'io.modelcontextprotocol/clientCapabilities': {},
            'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
        },
    };
}
function formatHeaders(httpMethod, { port, wire, sessionId }) {
    return [
        `${httpMethod} /mcp HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        ...(wire === 'perRequest' || sessionId !== undefined
            ? [`MCP-Protocol-Version: ${PROTOCOL_VERSIONS[wire]}`]
            : []),
        ...(sessionId === undefined ? [] : [`Mcp-Session-Id: ${sessionId}`]),
    ];
}
function formatRoutingHeaders({ method, params }) {
    const name = typeof params['name'] === 'string' ? [`Mcp-Name: ${params['name']}`] : [];
    return [`Mcp-Method: ${method}`, ...name];
}
