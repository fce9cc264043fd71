import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../support/applications/boot.js';
import { initialize, perRequest } from '../support/clients/json-rpc.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { until, within } from '../support/until.js';
import { PROGRAM, startFaulty, type HttpServer } from './faulty-wires.js';
import { PressingCallers } from './pressing-callers.js';

const CONNECTIONS = 16;
const STREAMS = 200;
const LONG_CALLS = 10;
/** What is given to a process before it is killed, where containers run: what keeps it longer lasts minutes here. */
const DEADLINE_MS = 30_000;

describe.each(ADAPTERS)('A process that is told to end by SIGTERM, on %s', (adapter) => {
  let started: NodeProgram | undefined;
  let socket: Socket | undefined;

  afterEach(async () => {
    socket?.destroy();
    await started?.stop('SIGKILL');
    started = undefined;
  });

  async function start(environment: NodeJS.ProcessEnv = {}): Promise<HttpServer> {
    const server = await startFaulty({ ADAPTER: adapter, CALL_TIMEOUT_MS: '600000', ...environment });
    started = server.program;
    return server;
  }

  it('answers every call it has taken, ends every stream, and is gone in time, whoever uploads (MOD-12) (SAFE-04)', async () => {
    const { program, url } = await start();
    const session = await initialize(url);
    const params = { name: 'work', arguments: { ms: 600_000 }, _meta: { progressToken: 1 } };
    const long = Array.from({ length: LONG_CALLS }, (_, turn) =>
      (turn % 2 === 0 ? session : perRequest(url)).start('tools/call', params),
    );
    const longStreams = await Promise.all(long.map((call) => call.stream()));
    await Promise.all(longStreams.map((stream) => stream.nextNotification('notifications/progress')));
    const sessions = await Promise.all(Array.from({ length: STREAMS }, () => initialize(url)));
    const streams = await Promise.all(sessions.map((each) => each.openStream()));
    const callers = new PressingCallers(url, CONNECTIONS);
    socket = await beginUpload(url);
    const uploaded = readAll(socket);
    await until(() => callers.outcomes.answered > 500, 'the load');

    program.signal('SIGTERM');
    const end = await program.exitCode(DEADLINE_MS);
    const outcomes = await callers.stop();

    expect(outcomes.lost).toEqual([]);
    for (const stream of longStreams) {
      await within(stream.ended, 'the end of a call');
      expect(stream.messages.at(-1)).toMatchObject({
        error: { code: -32603, message: 'The server is shutting down: try again later' },
      });
    }
    await within(Promise.all(streams.map(({ ended }) => ended)), 'the end of all streams');
    expect(streams.filter(({ response }) => !response.complete)).toEqual([]);
    expect(await uploaded).toMatch(/^HTTP\/1.1 503 [^]*shutting down/);
    expect(end).toBe(null);
    expect(program.stderr).toBe('');
  });

  it.each([
    ['two signals', ['SIGTERM', 'SIGTERM']],
    ['two calls of close() and a signal', ['SIGUSR2', 'SIGTERM']],
  ] as const)(
    'ends once by %s, and lets a call end that needs but a moment (MOD-12)',
    async (_what, signals) => {
      const { program, url } = await start({ TWICE: '1' });
      const standing = await (await initialize(url)).openStream();
      const params = { name: 'work', arguments: { ms: 30 }, _meta: { progressToken: 1 } };
      const call = await perRequest(url).start('tools/call', params).stream();
      await call.nextNotification('notifications/progress');
      for (const signal of signals) program.signal(signal);
      await program.exitCode(DEADLINE_MS);
      await within(Promise.all([standing.ended, call.ended]), 'the end of the streams');
      expect(standing.response.complete).toBe(true);
      expect(call.messages.at(-1)?.result).toMatchObject({ content: [{ text: 'worked' }] });
      expect(program.stderr).toBe('');
    },
  );

  it('ends while it starts (MOD-12)', async () => {
    started = new NodeProgram(PROGRAM, { ADAPTER: adapter, START_MS: '10000' });
    await started.prints('starting');
    started.signal('SIGTERM');
    await started.exitCode(DEADLINE_MS);
    expect(started.stderr).toBe('');
    expect(started.stdout).not.toContain('ready');
  });
});

/** Sends the head of a request and half of its body, and no more. */
async function beginUpload(url: string): Promise<Socket> {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'Content-Length: 1000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{"jsonrpc":"2.0",`);
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text;
}
