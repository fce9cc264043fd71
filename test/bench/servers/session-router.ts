import type { Handle } from './serve-sdk.js';

export interface SessionTransport {
  handleRequest: Handle;
}

/** Opens a transport with a server of its own behind it and says when its session begins and ends. */
export type OpenTransport<Transport> = (session: {
  begin(sessionId: string, transport: Transport): void;
  end(sessionId: string): void;
}) => Promise<Transport>;

/** Routes as the SDK's documentation shows: a map from session id to transport, nothing else. */
export function routeSessions<Transport extends SessionTransport>(open: OpenTransport<Transport>): Handle {
  const transports = new Map<string, Transport>();
  const session = {
    begin: (sessionId: string, transport: Transport) => void transports.set(sessionId, transport),
    end: (sessionId: string) => void transports.delete(sessionId),
  };
  return async (request, response, body) => {
    const sessionId = request.headers['mcp-session-id'];
    const transport = typeof sessionId === 'string' ? transports.get(sessionId) : await open(session);
    if (!transport) return void response.writeHead(404).end();
    await transport.handleRequest(request, response, body);
  };
}
