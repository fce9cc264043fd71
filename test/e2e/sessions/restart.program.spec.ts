import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NodeProgram } from '../../support/programs/node-program.js';
import { until } from '../../support/until.js';

const PROGRAM = '.build/test/programs/conversation-server.js';
const SECRET = 'the secret that outlives the process';

/** Comes back at once, and as often as a restart takes. */
const RECONNECTION = {
  initialReconnectionDelay: 50,
  maxReconnectionDelay: 100,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 200,
};

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function startServer(port: number): Promise<NodeProgram> {
  const program = new NodeProgram(PROGRAM, { PORT: String(port), SECRET });
  await program.prints('ready');
  return program;
}

describe('A server that is killed in the middle of a stream and started again', () => {
  let program: NodeProgram;
  let client: Client;

  afterEach(async () => {
    await client.close();
    await program.stop();
  });

  it('goes on with the official client, which hears nothing twice (SESS-05) (HTTP-04)', async () => {
    const port = await findFreePort();
    program = await startServer(port);
    const heard: unknown[] = [];
    client = new Client({ name: 'listener', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      reconnectionOptions: RECONNECTION,
    });
    await client.connect(transport);
    const { sessionId } = transport;
    await client.callTool({ name: 'announce', arguments: { count: 5 } });
    await until(() => heard.length === 5, 'what the first process announced');

    await program.stop('SIGKILL');
    program = await startServer(port);
    await client.callTool({ name: 'announce', arguments: { count: 5 } });
    await until(() => heard.length >= 10, 'what the second process announced', 20_000);

    expect(new Set(heard).size).toBe(heard.length);
    expect(heard).toHaveLength(10);
    expect(transport.sessionId).toBe(sessionId);
  });
});
