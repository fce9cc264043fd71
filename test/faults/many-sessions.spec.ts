import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize, type SessionClient } from '../support/clients/json-rpc.js';
import { NodeProgram } from '../support/programs/node-program.js';

const PROGRAM = '.build/test/programs/conversation-server.js';
const SESSIONS = 200;
/** How often each of them does all that it does, however long that takes. */
const ROUNDS = 8;
/** What a server of this size may keep warm: code, pools, caches. */
const HEAP_GROWTH_BYTES = 12 * 1_048_576;

describe('Two hundred sessions that call, cancel and are asked', () => {
  let program: NodeProgram;
  let url: string;

  beforeAll(async () => {
    program = new NodeProgram(PROGRAM, {}, ['--expose-gc']);
    await program.prints('ready');
    url = /ready (\S+)/.exec(program.stdout)?.[1] ?? '';
  });

  afterAll(() => program.stop());

  it('each get their own answers, and leave no memory behind (SESS-04) (SAFE-03) (CANC-01) (REV-02)', async () => {
    await converse(url, 20, 10);
    const before = await measure(url);
    const counts = await converse(url, SESSIONS, ROUNDS);
    const after = await measure(url);
    expect(counts.wrong).toEqual([]);
    expect(counts.answered).toBe(SESSIONS * ROUNDS * 4);
    expect(after.sessions).toBe(1);
    expect(after.heapBytes - before.heapBytes).toBeLessThan(HEAP_GROWTH_BYTES);
  }, 180_000);
});

interface Counts {
  answered: number;
  readonly wrong: unknown[];
}

/** Lets so many sessions talk so often at once, and ends them. */
async function converse(url: string, sessions: number, rounds: number): Promise<Counts> {
  const counts: Counts = { answered: 0, wrong: [] };
  const talks = Array.from({ length: sessions }, async () => {
    const session = await initialize(url, { capabilities: { elicitation: {} } });
    for (let round = 0; round < rounds; round += 1) await talkOnce(session, counts);
    await session.delete();
  });
  await Promise.all(talks);
  return counts;
}

/** Calls, cancels and answers at once. */
async function talkOnce(session: SessionClient, counts: Counts): Promise<void> {
  const results = await Promise.all([echo(session), ask(session), echo(session), cancel(session)]);
  for (const { expected, given } of results) {
    counts.answered += 1;
    if (given !== expected) counts.wrong.push({ expected, given });
  }
}

interface Exchange {
  readonly expected: unknown;
  readonly given: unknown;
}

async function echo(session: SessionClient): Promise<Exchange> {
  const text = randomUUID();
  const { result } = await session.request('tools/call', {
    name: 'echo',
    arguments: { text },
    _meta: { progressToken: text },
  });
  return { expected: text, given: readText(result) };
}

async function ask(session: SessionClient): Promise<Exchange> {
  const text = randomUUID();
  const stream = await session.start('tools/call', { name: 'ask', arguments: { text } }).stream();
  const question = await stream.nextMessage(({ method }) => method === 'elicitation/create', 30_000);
  const answer = `${text}/${String((question.params as { message?: string }).message)}`;
  await session.post({
    jsonrpc: '2.0',
    id: question.id,
    result: { action: 'accept', content: { text: answer } },
  });
  const { result } = await stream.nextMessage((message) => message.result !== undefined, 30_000);
  return { expected: `${text}/${text}`, given: readText(result) };
}

async function cancel(session: SessionClient): Promise<Exchange> {
  const call = session.start('tools/call', { name: 'wait', arguments: {}, _meta: { progressToken: 1 } });
  const stream = await call.stream();
  await stream.nextNotification('notifications/progress', 30_000);
  await session.notify('notifications/cancelled', { requestId: call.id });
  await stream.ended;
  return { expected: undefined, given: stream.messages.find(({ result }) => result !== undefined) };
}

async function measure(url: string): Promise<{ heapBytes: number; sessions: number }> {
  const session = await initialize(url);
  const { result } = await session.request('tools/call', { name: 'memory' });
  await session.delete();
  return JSON.parse(String(readText(result)));
}

function readText(result: unknown): unknown {
  return (result as { content?: readonly { text?: string }[] } | undefined)?.content?.[0]?.text;
}
