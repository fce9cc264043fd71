import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { buildToolDescriptions, searchArguments, searchTickets, SERVER_INFO } from './fixtures.js';
import { readSettings } from './serve.js';

const server = new McpServer(SERVER_INFO, { capabilities: { logging: {} } });
for (const { name, description } of buildToolDescriptions(readSettings().tools)) {
  server.registerTool(name, { description, inputSchema: searchArguments }, searchTickets);
}
await server.connect(new StdioServerTransport());
