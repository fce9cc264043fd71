import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type AdapterName } from '../support/applications/boot.js';
import { formatCall, formatHead, formatPost } from '../support/clients/request-text.js';
import { within } from '../support/until.js';
import { callMeanwhile } from './callers.js';
import { EdgeProgram } from './edge-program.js';
import { expectNothingLeft, expectServed } from './expectations.js';
import { ENDLESS_MS, expectServedBeside } from './held-connections.js';
import { dripAll, openMany, type RawClient } from './raw-client.js';

const TIMEOUT_MS = 1000;
const WRITERS = 500;
const HEAP_GROWTH_BYTES = 2 * 1_048_576;
const PERIOD_MS = 250;

const ENDLESS_HEADERS = `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${'x-more: x\r\n'.repeat(100)}`;
const DRIPPED_BODY = formatPost('x'.repeat(10_000));
const ENTITY = { 'content-type': 'application/json', accept: 'application/json' };
/** Ways never to be done, and the statuses that they are answered with. */
const WRITERS_BY_KIND: Record<string, { readonly begin: string; readonly drip: string; status: number }> = {
  'headers that never end': { begin: '', drip: ENDLESS_HEADERS, status: 408 },
  'a body that drips': {
    begin: DRIPPED_BODY.slice(0, -10_000),
    drip: DRIPPED_BODY.slice(-10_000),
    status: 408,
  },
  'chunks that drip': {
    begin: formatHead('POST', { ...ENTITY, 'transfer-encoding': 'chunked' }),
    drip: '1\r\nx\r\n'.repeat(2000),
    status: 408,
  },
  'less than its length': {
    begin: formatHead('POST', { ...ENTITY, 'content-length': 1000 }) + formatCall('greet').slice(-100),
    drip: '',
    status: 408,
  },
  'the rest of what is too long': {
    begin: formatHead('POST', { ...ENTITY, 'content-length': 10 ** 9 }),
    drip: 'x'.repeat(10_000),
    status: 413,
  },
  'the rest of what is of no use': {
    begin: formatHead('POST', { 'content-type': 'text/plain', 'content-length': 10_000 }),
    drip: 'x'.repeat(10_000),
    status: 415,
  },
};
const KINDS = Object.values(WRITERS_BY_KIND);

/** Starts a server that waits so long for headers and for bodies. */
function start(adapter: AdapterName, timeoutMs: number): Promise<EdgeProgram> {
  const options = { limits: { transferTimeoutMs: timeoutMs } };
  return EdgeProgram.start({ adapter, headersTimeoutMs: timeoutMs, options });
}

describe.each(ADAPTERS)('Five hundred writers that never come to an end, on %s', (adapter) => {
  let program: EdgeProgram;

  beforeEach(async () => {
    program = await start(adapter, TIMEOUT_MS);
  });

  afterEach(() => program.stop());

  /** Lets so many write in all ways, and gives each with the status that it has to be answered with. */
  async function ill(count: number): Promise<readonly { client: RawClient; expected: number }[]> {
    const kindOf = (index: number) => KINDS[index % KINDS.length]!;
    // Those that drip would go on for three quarters of an hour. Written to at once, since a server waits no longer for the first ones while the last ones are opened.
    const clients = await openMany(program.port, count, (client, index) => client.write(kindOf(index).begin));
    const drips = clients.map((client, index) => ({ client, text: kindOf(index).drip }));
    await within(dripAll(drips, PERIOD_MS), 'the end of all writers');
    return clients.map((client, index) => ({ client, expected: kindOf(index).status }));
  }

  it('are answered and cut off in time, while others are served, and leave nothing behind (SAFE-01) (HTTP-07)', async () => {
    // What is compiled and pooled for so many at once stays.
    await ill(WRITERS);
    const before = await program.settle({ sessions: 0 });
    let writers: Awaited<ReturnType<typeof ill>> = [];
    const answers = await callMeanwhile(program, async () => {
      writers = await ill(WRITERS);
    });
    const wrong = writers.filter(({ client, expected }) => client.statuses.join() !== String(expected));
    expect(wrong.map(({ client, expected }) => ({ expected, received: client.received }))).toEqual([]);
    expectServed(answers);

    await expectNothingLeft(program, before, { heapGrowthBytes: HEAP_GROWTH_BYTES });
  });
});

describe.each(ADAPTERS)('Five hundred writers that the server still waits for, on %s', (adapter) => {
  let program: EdgeProgram;

  beforeEach(async () => {
    program = await start(adapter, ENDLESS_MS);
  });

  afterEach(() => program.stop());

  it('keep nobody else from an answer (SAFE-01)', async () => {
    const writers = await openMany(program.port, WRITERS, (client, index) => {
      const { begin, drip } = KINDS[index % KINDS.length]!;
      client.write(begin + drip.slice(0, 10));
    });
    await expectServedBeside(program, writers.length);
  });
});
