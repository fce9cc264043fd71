// A server of fastmcp with an entry of each kind: at `PORT` where that is set, or else over stdio.
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const port = process.env.PORT;
const server = new FastMCP({ name: 'sums', version: '1.0.0' });

server.addTool({
  name: 'add',
  description: 'Adds two numbers',
  parameters: z.object({ a: z.number(), b: z.number().default(1) }),
  annotations: { title: 'Addition', readOnlyHint: true, openWorldHint: false },
  execute: async ({ a, b }) => String(a + b),
});
server.addTool({
  name: 'count',
  description: 'Reports its progress, and logs',
  parameters: z.object({ to: z.number() }),
  execute: async ({ to }, { log, reportProgress }) => {
    for (let progress = 1; progress <= to; progress += 1) await reportProgress({ progress, total: to });
    log.warn('counted', { to });
    return { content: [{ type: 'resource_link', uri: 'sums://totals/1', name: 'The first total' }] };
  },
});
server.addTool({
  name: 'ask',
  description: 'Asks the user',
  execute: async (_, { elicit }) => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    return JSON.stringify(await elicit({ message: 'Who are you?', requestedSchema }));
  },
});
server.addResource({
  uri: 'sums://about',
  name: 'about',
  mimeType: 'text/plain',
  load: async () => ({ text: 'It adds' }),
});
server.addResourceTemplate({
  uriTemplate: 'sums://totals/{id}',
  name: 'total',
  mimeType: 'text/plain',
  arguments: [{ name: 'id', complete: async () => ({ values: ['1', '2'] }) }],
  load: async ({ id }) => ({ text: `total ${id}` }),
});
server.addPrompt({
  name: 'explain',
  description: 'Explains a sum',
  arguments: [{ name: 'unit', description: 'What is added', required: true, enum: ['apples', 'pears'] }],
  load: async ({ unit }) => `Explain a sum of ${unit}`,
});

await server.start(
  port === undefined
    ? { transportType: 'stdio' }
    : { transportType: 'httpStream', httpStream: { port: Number(port), host: '127.0.0.1' } },
);
