import { randomUUID } from 'node:crypto';

import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

import {
  ANNOUNCE_TOOL,
  buildToolDescriptions,
  searchArguments,
  searchTickets,
  SERVER_INFO,
} from './fixtures.js';
import { serveSdk } from './serve-sdk.js';
import { readSettings } from './serve.js';
import { routeSessions } from './session-router.js';

const settings = readSettings();
const descriptions = buildToolDescriptions(settings.tools);
const servers = new Set<McpServer>();

const handle = routeSessions<StreamableHTTPServerTransport>(async (session) => {
  const server = createMcpServer();
  const transport = new StreamableHTTPServerTransport({
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
serveSdk(handle, createMcpExpressApp);

function createMcpServer(): McpServer {
  const server = new McpServer(SERVER_INFO, { capabilities: { logging: {} } });
  for (const { name, description } of descriptions) {
    server.registerTool(name, { description, inputSchema: searchArguments }, searchTickets);
  }
  if (settings.announces) {
    server.registerTool(ANNOUNCE_TOOL.name, { description: ANNOUNCE_TOOL.description }, announce);
  }
  return server;
}

function announce(): { content: { type: 'text'; text: string }[] } {
  for (const server of servers) server.sendToolListChanged();
  return { content: [{ type: 'text', text: 'announced' }] };
}
