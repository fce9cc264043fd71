import { createServer } from 'node:http';
/** Creates the HTTP server the SDK's documentation shows: a map from session id to transport, nothing else. */
export function createSessionServer(open) {
    const transports = new Map();
    const session = {
        begin: (sessionId, transport) => void transports.set(sessionId, transport),
        end: (sessionId) => void transports.delete(sessionId),
    };
    return createServer(async (request, response) => {
        const body = request.method === 'POST' ? await readJson(request) : undefined;
        const sessionId = request.headers['mcp-session-id'];
        const transport = typeof sessionId === 'string' ? transports.get(sessionId) : await open(session);
        if (!transport)
            return void response.writeHead(404).end();
        await transport.handleRequest(request, response, body);
    });
}
/** Reads a request's body, the cheapest way there is, and parses it. */
export function readJson(request) {
    return new Promise((resolve) => {
        const chunks = [];
        request.on('data', (chunk) => chunks.push(chunk));
        request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
    });
}
