// A server of the official SDK, version 1, over stdio. Its behavior depends on the first argument.
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'notes', version: '1.0.0' }, { capabilities: { logging: {} } });

server.registerTool(
  'write',
  { description: 'Writes a note', inputSchema: { text: z.string() } },
  ({ text }) => ({
    content: [
      { type: 'text', text: `wrote ${text}` },
      { type: 'resource_link', uri: 'note://1', name: 'the note' },
    ],
  }),
);
server.registerTool('pid', {}, () => ({ content: [{ type: 'text', text: String(process.pid) }] }));
server.registerTool('crash', {}, () => process.exit(3));
server.registerTool('hang', {}, () => new Promise(() => undefined));
server.registerTool('ask', {}, async () => {
  const answer = await server.server.elicitInput({
    message: 'Which note?',
    requestedSchema: { type: 'object', properties: { note: { type: 'string' } } },
  });
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
});
server.registerTool('model', {}, async () => {
  const { content } = await server.server.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
    maxTokens: 5,
  });
  return { content: [{ type: 'text', text: JSON.stringify(content) }] };
});
server.registerTool('roots', {}, async () => {
  const { roots } = await server.server.listRoots();
  return { content: [{ type: 'text', text: roots.map(({ uri }) => uri).join() }] };
});
server.registerTool('speak', {}, async (extra) => {
  const progressToken = extra._meta?.progressToken;
  for (const progress of [1, 2]) {
    await extra.sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress, total: 2 },
    });
  }
  await server.sendLoggingMessage({ level: 'warning', logger: 'pen', data: 'low ink' });
  return { content: [{ type: 'text', text: 'spoken' }] };
});
server.registerTool('grow', {}, () => {
  const names = Array.from({ length: 20 }, (_, index) => `grown-${index}`);
  for (const name of names) server.registerTool(name, {}, () => ({ content: [] }));
  return { content: [] };
});
server.registerResource('note', 'note://1', {}, (uri) => ({
  contents: [{ uri: uri.href, text: 'the first note' }],
}));
server.registerResource(
  'any',
  new ResourceTemplate('note://all/{id}', { list: undefined, complete: { id: () => ['7', '8'] } }),
  {},
  (uri, { id }) => ({ contents: [{ uri: uri.href, text: `note ${String(id)}` }] }),
);
server.registerPrompt('summary', { argsSchema: { note: z.string() } }, ({ note }) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `Summarise ${note}` } }],
}));

await server.connect(new StdioServerTransport());
