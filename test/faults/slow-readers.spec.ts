import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type AdapterName } from '../support/applications/boot.js';
import type { EventStream } from '../support/clients/event-stream.js';
import { initialize, perRequest, type SessionClient } from '../support/clients/json-rpc.js';
import type { Message } from '../support/clients/message.js';
import { formatCall, formatPost } from '../support/clients/request-text.js';
import { within } from '../support/until.js';
import { callMeanwhile } from './callers.js';
import { EdgeProgram } from './edge-program.js';
import { expectNothingLeft, expectServed } from './expectations.js';
import { ENDLESS_MS, expectServedBeside } from './held-connections.js';
import { openMany, RawClient } from './raw-client.js';

const MEGABYTE = 1_048_576;
const READERS = 10;
const ENTRIES = 120;
const ENTRY = 100_000;
const TOOLS = 1000;
const TRANSFER_TIMEOUT_MS = 2000;
const HEAP_GROWTH_BYTES = 6 * MEGABYTE;
const MARK = 'entry ';
const FLOOD = { count: ENTRIES, size: ENTRY };
/** What is kept for readers that come back, as it was emitted and as it is sent, but once however many they are. */
const KEPT_BYTES = 2 * ENTRIES * ENTRY;

const LIST = formatPost(
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
  { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
);

/** Starts a server that waits so long for its readers, and keeps so much for each of them. */
function start(
  adapter: AdapterName,
  transferTimeoutMs: number,
  maxQueuedBytes: number,
): Promise<EdgeProgram> {
  const sessions = { eventLogCharacters: KEPT_BYTES };
  const options = { streams: { maxQueuedBytes }, sessions, limits: { transferTimeoutMs } };
  return EdgeProgram.start({ adapter, tools: TOOLS, options });
}

describe.each(ADAPTERS)('Ten readers that read nothing, on %s', (adapter) => {
  let program: EdgeProgram;

  beforeAll(async () => {
    program = await start(adapter, TRANSFER_TIMEOUT_MS, MEGABYTE);
    await announce('warm');
    await stallLists(3);
  });

  afterAll(() => program.stop());

  function announce(mark: string): Promise<unknown> {
    const client = perRequest(program.url);
    return client.request('tools/call', { name: 'announce', arguments: { ...FLOOD, mark } });
  }

  async function openStreams(count: number): Promise<{ session: SessionClient; stream: EventStream }[]> {
    const open = async () => {
      const session = await initialize(program.url);
      const stream = await session.openStream();
      await stream.next(({ id }) => id !== undefined);
      return { session, stream };
    };
    return Promise.all(Array.from({ length: count }, open));
  }

  /** Waits until the server has let go of all connections but so many. */
  function onlyLeft(count: number): Promise<void> {
    return program.holds(({ sockets }) => sockets === count + 1, `${count} connections`);
  }

  /** Asks for a list of eight megabytes that often, and waits until the server has given each of them up. */
  async function stallLists(count: number, before = ''): Promise<void> {
    const clients = await openMany(program.port, count);
    for (const client of clients) client.stall().write(before + LIST);
    await onlyLeft(0);
    for (const { socket } of clients) socket.resume();
    await Promise.all(clients.map(({ closed }) => within(closed, 'the end of a connection')));
  }

  it('lose their standing streams, cost no memory, and get what they missed when they come back (HTTP-08) (HTTP-04) (SESS-04)', async () => {
    const before = await program.settle({ sessions: 0 });
    const [slow, quick] = [await openStreams(READERS), await openStreams(3)];
    for (const { stream } of slow) stream.response.pause();
    await announce(MARK);
    await onlyLeft(quick.length);
    const { heapBytes } = await program.figures();
    expect(heapBytes - before.heapBytes).toBeLessThan(KEPT_BYTES + HEAP_GROWTH_BYTES);
    for (const { stream } of quick) expect(await readAll([stream])).toEqual(NUMBERS);

    for (const { session, stream } of slow) {
      stream.response.resume();
      await within(stream.ended, 'the end of a lost stream');
      const resumed = await session.openStream({ lastEventId: stream.lastEventId });
      expect(await readAll([stream, resumed])).toEqual(NUMBERS);
      await resumed.close();
    }
    await Promise.all(quick.map(({ stream }) => stream.close()));
    await Promise.all([...slow, ...quick].map(({ session }) => session.delete()));
    await expectNothingLeft(program, before);
  });

  it('lose the streams of their calls, while others are answered (HTTP-08) (SAFE-03)', async () => {
    const before = await program.settle({ sessions: 0 });
    const answers = await callMeanwhile(program, async () => {
      const clients = await openMany(program.port, READERS);
      for (const client of clients) client.stall().write(formatCall('report', FLOOD));
      await onlyLeft(1);
      for (const client of clients) client.reset();
    });
    expectServed(answers);
    await expectNothingLeft(program, before);
  });

  it('lose lists that had to wait for another answer, too (HTTP-08) (SAFE-03)', async () => {
    const before = await program.settle({ sessions: 0 });
    await stallLists(READERS, formatCall('announce', { count: 10, size: 1 }));
    await expectNothingLeft(program, before);
  });

  it('lose long lists that they leave lying, while one that reads slowly has all of it (HTTP-08) (SAFE-03)', async () => {
    const before = await program.settle({ sessions: 0 });
    await stallLists(READERS);
    const client = await RawClient.open(program.port);
    const begun = performance.now();
    const list = readInSips(client);
    client.write(LIST);
    expect(JSON.parse(await list).result.tools).toHaveLength(TOOLS);
    expect(performance.now() - begun).toBeGreaterThan(TRANSFER_TIMEOUT_MS);
    client.socket.destroy();
    await expectNothingLeft(program, before);
  });
});

describe.each(ADAPTERS)('Readers that the server still waits for, on %s', (adapter) => {
  let program: EdgeProgram;

  beforeAll(async () => {
    program = await start(adapter, ENDLESS_MS, 2 * KEPT_BYTES);
  });

  afterAll(() => program.stop());

  it.each([
    ['a stream', formatCall('report', FLOOD)],
    ['a list', LIST],
  ])('keep nobody else from an answer while %s waits for each of them (HTTP-08)', async (_kind, text) => {
    const clients = await openMany(program.port, READERS, (client) => client.stall().write(text));
    await expectServedBeside(program, clients.length);
    for (const client of clients) client.reset();
    await program.settle({ sessions: 0 });
  });
});

const HEAD_END = '\r\n\r\n';
const NUMBERS = Array.from({ length: ENTRIES }, (_, index) => index + 1);

/** Reads announcements to the last, and gives their numbers in the order in which they came. */
async function readAll(streams: readonly EventStream[]): Promise<number[]> {
  const isLast = ({ params }: Message) => String(params?.['data']).startsWith(`${MARK}${ENTRIES}:`);
  await streams.at(-1)?.nextMessage(isLast, 10_000);
  const entries = streams.flatMap(({ messages }) => messages.map(({ params }) => String(params?.['data'])));
  return entries.map((entry) => Number.parseInt(entry.slice(MARK.length), 10));
}

/** Reads an answer a piece at a time with a pause after each, so that it takes a while, and gives its body. */
async function readInSips({ socket, closed }: RawClient): Promise<string> {
  const pieces: string[] = [];
  let missing = Number.POSITIVE_INFINITY;
  const read = new Promise<void>((resolve) => {
    socket.on('data', (piece: string) => {
      pieces.push(piece);
      if (pieces.length === 1) missing = countExpected(piece);
      missing -= piece.length;
      if (missing <= 0) return resolve();
      socket.pause();
      setTimeout(() => socket.resume(), 40);
    });
  });
  await Promise.race([read, closed]);
  const text = pieces.join('');
  return text.slice(text.indexOf(HEAD_END) + HEAD_END.length);
}

/** Gives how many characters an answer has whose first piece this is. */
function countExpected(piece: string): number {
  const length = Number(/content-length: (\d+)/i.exec(piece)?.[1]);
  return piece.indexOf(HEAD_END) + HEAD_END.length + length;
}
