/**
 * A server of the official SDK before its second version, which knows nothing of this package. `TRANSPORT=sse` serves HTTP+SSE and
 * nothing else, and prints its URL; anything else is standard input and output. `TOKEN` is wanted by HTTP+SSE if it is set. `NOISE`
 * is written to the standard output, `LOG` to the standard error. `DIE_AT` is a method: the process ends with code 7 when it is asked
 * for. With `STAY`, the end of the input does not end it.
 */
import { createServer } from 'node:http';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const { TRANSPORT, TOKEN, NOISE, LOG, DIE_AT, STAY, SECRET = 'no secret' } = process.env;

function createTools(): McpServer {
  const tasks = { requests: { tools: { call: {} } }, cancel: {} };
  const stores = { taskStore: new InMemoryTaskStore(), taskMessageQueue: new InMemoryTaskMessageQueue() };
  const server = new McpServer({ name: 'others', version: '1.0.0' }, { capabilities: { tasks }, ...stores });
  registerTask(server);
  server.registerTool('greet', { inputSchema: { name: z.string() } }, ({ name }) => say(`hello, ${name}`));
  server.registerTool('tell', {}, () => say(SECRET));
  server.registerTool('where', {}, () => say(process.cwd()));
  server.registerTool('wait', {}, () => new Promise<never>(() => console.error('waiting')));
  server.registerResource('note', 'note://one', {}, () => ({
    contents: [{ uri: 'note://one', text: 'noted' }],
  }));
  server.registerPrompt('ask', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'asked' } }],
  }));
  return server;
}

/** A tool that refuses every call that asks for no task, as 2025-11-25 lets it, and may ask with what. */
function registerTask(server: McpServer): void {
  server.experimental.tasks.registerToolTask(
    'bake',
    { inputSchema: { isAsking: z.boolean().default(false) }, execution: { taskSupport: 'required' } },
    {
      createTask: async ({ isAsking }, { taskStore }) => {
        const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 50 });
        const bake = async () => {
          const form = {
            type: 'object' as const,
            properties: { flour: { type: 'string' as const } },
            required: ['flour'],
          };
          if (isAsking) await taskStore.updateTaskStatus(task.taskId, 'input_required', 'of what?');
          const answer = isAsking
            ? await server.server.request(
                { method: 'elicitation/create', params: { message: 'Of what?', requestedSchema: form } },
                ElicitResultSchema,
                { relatedTask: { taskId: task.taskId } },
              )
            : { content: { flour: 'rye' } };
          await taskStore.storeTaskResult(
            task.taskId,
            'completed',
            say(`baked of ${String(answer.content?.['flour'])}`),
          );
        };
        setTimeout(() => void bake().catch(console.error), 100);
        return { task };
      },
      getTask: (_, { taskId, taskStore }) => taskStore.getTask(taskId),
      getTaskResult: async (_, { taskId, taskStore }) => {
        const { content } = await taskStore.getTaskResult(taskId);
        return { content } as ReturnType<typeof say>;
      },
    },
  );
}

function say(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

async function serveHttpSse(): Promise<void> {
  const transports = new Map<string, SSEServerTransport>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const transport = transports.get(searchParams.get('sessionId') ?? '');
    if (TOKEN !== undefined && request.headers.authorization !== `Bearer ${TOKEN}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    } else if (request.method === 'GET' && pathname === '/sse') {
      const opened = new SSEServerTransport('/messages', response);
      transports.set(opened.sessionId, opened);
      void createTools().connect(opened);
    } else if (request.method === 'POST' && pathname === '/messages' && transport !== undefined) {
      void transport.handlePostMessage(request, response);
    } else {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<!DOCTYPE html><p>Cannot POST</p>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  console.log(`ready http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/sse`);
}

async function servePipe(): Promise<void> {
  if (LOG !== undefined) console.error(LOG);
  if (NOISE !== undefined) console.log(NOISE);
  process.stdin.on('data', (chunk: Buffer) => {
    if (DIE_AT !== undefined && chunk.toString().includes(`"${DIE_AT}"`)) process.exit(7);
  });
  if (STAY !== undefined) setInterval(() => undefined, 1000);
  await createTools().connect(new StdioServerTransport());
}

await (TRANSPORT === 'sse' ? serveHttpSse() : servePipe());
