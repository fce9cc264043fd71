// A server of the official SDK whose tools have the schemas that are given as its argument.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [, , tools] = process.argv;
const server = new Server({ name: 'drawing', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: JSON.parse(tools) }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
  structuredContent: { area: 7 },
}));
await server.connect(new StdioServerTransport());
