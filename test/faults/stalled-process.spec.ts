import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize, perRequest } from '../support/clients/json-rpc.js';
import { until } from '../support/until.js';
import { readText, startFaulty, type HttpServer } from './faulty-wires.js';

/** Longer than all that may run out meanwhile, each of which has room for what a busy machine takes before. */
const STALL_MS = 6000;
const IDLE_MS = 4000;
const ECHO = { name: 'echo', arguments: { text: 'alive' } };
const BLOCK = { name: 'block', arguments: { ms: STALL_MS } };

describe('A server whose event loop a handler blocks for six seconds', () => {
  let server: HttpServer;

  beforeAll(async () => {
    server = await startFaulty({
      CALL_TIMEOUT_MS: '1000',
      QUESTION_MS: '4000',
      IDLE_MS: String(IDLE_MS),
      KEEP_ALIVE_MS: '200',
    });
  });

  afterAll(async () => void (await server.program.stop('SIGKILL')));

  it('drops neither sessions, nor streams, nor calls, nor questions that were answered meanwhile (SAFE-04) (HTTP-10) (HTTP-08) (REV-01)', async () => {
    const { url } = server;
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () => initialize(url, { capabilities: { elicitation: {} } })),
    );
    const [requester, streamer, ...quiet] = sessions as [SessionOf, SessionOf, ...SessionOf[]];
    const stream = await streamer.openStream();
    const asked = await requester.start('tools/call', { name: 'ask', arguments: { text: 'Well?' } }).stream();
    const question = await asked.nextMessage(({ method }) => method === 'elicitation/create');
    const late = perRequest(url).start('tools/call', { name: 'fault', arguments: { kind: 'soon' } });

    const blocked = perRequest(url).request('tools/call', BLOCK);
    // What clients send from here on waits until the loop goes on.
    const answer = { action: 'accept', content: { text: 'yes' } };
    const calls = quiet.map((session) => session.request('tools/call', ECHO));
    const answered = requester.post({ jsonrpc: '2.0', id: question.id, result: answer });

    expect(readText(await blocked)).toBe('blocked');
    expect((await Promise.all(calls)).map(readText)).toEqual(quiet.map(() => 'alive'));
    expect((await answered).status).toBe(202);
    const { result } = await asked.nextMessage((message) => message.result !== undefined);
    expect(readText({ ...(result && { result }) })).toBe('yes');
    expect(readText(await late.answer())).toBe('soon');

    const seen = stream.events.length;
    await until(() => stream.events.length > seen, 'a keep-alive comment');
    expect(stream.isEnded).toBe(false);
    expect(readText(await streamer.request('tools/call', ECHO))).toBe('alive');
  });

  it('ends the sessions that fall silent afterwards, and calls that never end (HTTP-10) (SAFE-04)', async () => {
    const session = await initialize(server.url);
    const hanging = session.request('tools/call', { name: 'fault', arguments: { kind: 'hangs' } });
    await perRequest(server.url).request('tools/call', { name: 'block', arguments: { ms: 500 } });
    expect(readText(await hanging)).toBe('The call took longer than 1000 ms and was stopped');
    const count = async (): Promise<unknown> => {
      const usage = await perRequest(server.url).request('tools/call', { name: 'usage' });
      return (usage.result?.['structuredContent'] as { sessions: number } | undefined)?.sessions;
    };
    await session.request('ping');
    expect(await count()).toBeGreaterThan(0);
    await until(async () => (await count()) === 1, 'all but the session with a stream to end');
  });
});

type SessionOf = Awaited<ReturnType<typeof initialize>>;
