import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface SessionTransport {
  handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
}

/** Opens a transport with a server of its own behind it and says when its session begins and ends. */
export type OpenTransport<Transport> = (session: {
  begin(sessionId: string, transport: Transport): void;
  end(sessionId: string): void;
}) => Promise<Transport>;

/** Creates the HTTP server the SDK's documentation shows: a map from session id to transport, nothing else. */
export function createSessionServer<Transport extends SessionTransport>(
  open: OpenTransport<Transport>,
): Server {
  const transports = new Map<string, Transport>();
  const session = {
    begin: (sessionId: string, transport: Transport) => void transports.set(sessionId, transport),
    end: (sessionId: string) => void transports.delete(sessionId),
  };
  return createServer(async (request, response) => {
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    const sessionId = request.headers['mcp-session-id'];
    const transport = typeof sessionId === 'string' ? transports.get(sessionId) : await open(session);
    if (!transport) return void response.writeHead(404).end();
    await transport.handleRequest(request, response, body);
  });
}

/** Reads a request's body, the cheapest way there is, and parses it. */
export function readJson(request: IncomingMessage): Promise<unknown> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
  });
}
