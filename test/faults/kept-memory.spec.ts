import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LoadConnection } from '../../cli/bench/wire/load-connection.js';
import { connect } from '../bench/session.js';
import { sendHttp } from '../support/clients/raw-http.js';
import { formatPost } from '../support/clients/request-text.js';
import {
  formatBody,
  formatDetached,
  formatInitialize,
  HeapProgram,
  readSession,
  send,
} from './heap-program.js';

/** Bytes of heap that may be kept for each byte that clients sent. */
const FACTOR = 3;
/** So many that what the process keeps for itself does not count. */
const ITEMS = 400;
const RUNS = 3;
/** Bytes that do not depend on what is drawn are measured twice. */
const RUNS_WITHOUT_JUNK = 2;

/** Makes the server keep something; gives the bytes that were sent for it. */
type Keep = (connection: LoadConnection, junk: unknown, index: number) => Promise<number>;

const KINDS: Readonly<Record<string, Keep>> = {
  'sessions of clients that declare it': (connection, junk) =>
    open(connection, { experimental: { x: { junk } } }),
  'tasks that are called with it': (connection, junk) =>
    post(connection, formatDetached('tools/call', { name: 'nod', arguments: { junk } })),
  subscriptions: async (connection, _junk, index) => {
    const session = { id: '' };
    let bytes = await open(connection, {}, session);
    for (let count = 0; count < 5; count += 1) {
      const body = formatBody('resources/subscribe', { uri: `n:${(5 * index + count).toString(36)}` });
      bytes += await post(connection, formatPost(body, { 'mcp-session-id': session.id }));
    }
    return bytes;
  },
};

/** JSON of any shape, and of those that take most. */
const JUNK = fc.oneof(
  fc.jsonValue({ maxDepth: 8 }),
  fc.array(fc.constantFrom({}, [], [1], { a: 1 }, 'é世', 0.5), { minLength: 100, maxLength: 500 }),
  fc.dictionary(fc.string({ maxLength: 4 }), fc.constant({}), { maxKeys: 200 }),
);

describe('What is kept after the answer', () => {
  let program: HeapProgram;
  let connection: LoadConnection;

  beforeAll(async () => {
    program = await HeapProgram.start();
    connection = await connect({ port: program.port });
  });

  afterAll(async () => {
    connection.destroy();
    await program.stop('SIGKILL');
  });

  const measure = async (): Promise<number> => {
    const { json } = await sendHttp(`http://127.0.0.1:${program.port}/heap`);
    return (json as { heapBytes: number }).heapBytes;
  };

  /** Gives the bytes of heap that are kept for each that was sent. */
  async function keep(kind: Keep, junk: unknown, items = ITEMS): Promise<number> {
    const before = await measure();
    let sent = 0;
    for (let index = 0; index < items; index += 1) sent += await kind(connection, junk, index);
    return ((await measure()) - before) / sent;
  }

  /** A table of the process that grows just then counts for few items: then many more share it. */
  async function keepMany(kind: Keep, junk: unknown): Promise<number> {
    const factor = await keep(kind, junk);
    return factor < FACTOR ? factor : keep(kind, junk, 5 * ITEMS);
  }

  it.each(Object.entries(KINDS))(
    'takes at most three bytes of heap for each that was sent: %s (FAIR-02)',
    async (what, kind) => {
      await keep(kind, null);
      const numRuns = what === 'subscriptions' ? RUNS_WITHOUT_JUNK : RUNS;
      const property = fc.asyncProperty(JUNK, async (junk) => {
        expect(await keepMany(kind, junk)).toBeLessThan(FACTOR);
      });
      await fc.assert(property, { numRuns, endOnFailure: true });
    },
    300_000,
  );

  it('takes at most three bytes of heap for each of a handshake that is never confirmed (FAIR-02)', async () => {
    const shake: Keep = (to) => post(to, formatPost(formatInitialize()));
    await keep(shake, null);
    expect(await keepMany(shake, null)).toBeLessThan(FACTOR);
  });
});

/** Shakes hands and confirms it, as clients do. */
async function open(
  connection: LoadConnection,
  capabilities: object,
  opened: { id: string } = { id: '' },
): Promise<number> {
  const text = formatPost(formatInitialize(capabilities));
  const answer = await send(connection, text);
  expect(answer.status).toBe(200);
  opened.id = readSession(answer);
  const confirmation = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return (
    Buffer.byteLength(text) +
    (await post(connection, formatPost(confirmation, { 'mcp-session-id': opened.id })))
  );
}

async function post(connection: LoadConnection, text: string): Promise<number> {
  const { status } = await send(connection, text);
  expect([200, 202]).toContain(status);
  return Buffer.byteLength(text);
}
