import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { ANNOUNCE_TOOL, buildToolDescriptions, searchArguments, searchTickets, SERVER_INFO, } from './fixtures.js';
import { readSettings, reportReady } from './serve.js';
import { createSessionServer, readJson } from './session-router.js';
const settings = readSettings();
const descriptions = buildToolDescriptions(settings.tools);
const servers = new Set();
const http = settings.wire === 'handshake' ? serveSessions() : servePerRequest();
http.listen(0, '127.0.0.1', () => reportReady(http));
function serveSessions() {
    return createSessionServer(async (session) => {
        const server = createMcpServer();
        const transport = new NodeStreamableHTTPServerTransport({
            sessionIdGenerator: randomUUID,
            enableJsonResponse: true,
            onsessioninitialized: (sessionId) => session.begin(sessionId, transport),
            onsessionclosed: (sessionId) => session.end(sessionId),
        });
        server.server.onclose = () => servers.delete(server);
        servers.add(server);
        await server.connect(transport);
        return transport;
    });
}
function servePerRequest() {
    const handle = toNodeHandler(createMcpHandler(createMcpServer));
    return createServer(async (request, response) => {
        await handle(request, response, await readJson(request));
    });
}
function createMcpServer() {
    const server = new McpServer(SERVER_INFO, { capabilities: { logging: {} } });
    for (const { name, description } of descriptions) {
        server.registerTool(name, { description, inputSchema: searchArguments }, searchTickets);
    }
    if (settings.announces) {
        server.registerTool(ANNOUNCE_TOOL.name, { description: ANNOUNCE_TOOL.description }, announce);
    }
    return server;
}
function announce() {
    for (const server of servers)
        server.sendToolListChanged();
    return { content: [{ type: 'text', text: 'announced' }] };
}
