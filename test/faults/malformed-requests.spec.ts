import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../support/applications/boot.js';
import { initialize, perRequest } from '../support/clients/json-rpc.js';
import type { JsonObject } from '../support/clients/message.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { openHttp, sendHttp } from '../support/clients/raw-http.js';
import { until } from '../support/until.js';
import { Dice, SEED } from '../support/dice.js';
import { makeRequest, type MalformedRequest, type RealNames } from './malformed-http.js';
import { exchangeBytes, type RawAnswer } from './raw-exchange.js';

const PROGRAM = '.build/test/programs/pestered-server.js';
const WARM_UP = 500;
const REQUESTS = 2500;
const CONNECTIONS = 16;
const MEGABYTE = 1_048_576;
/** What a server of this size may keep warm: code, pools, caches. */
const HEAP_GROWTH_BYTES = 6 * MEGABYTE;

/** What a request may be answered with. */
const STATUSES: readonly number[] = [200, 202, 204, 400, 403, 404, 405, 406, 409, 413, 415, 417, 431];

const MODES = ADAPTERS.flatMap((adapter) => [
  { adapter, stateless: false, mode: 'with sessions' },
  { adapter, stateless: true, mode: 'without sessions' },
]);

/** Says what is wrong with an answer; nothing where it is as it should be. */
function findFault({ isHttp, isOwn }: MalformedRequest, { status, body }: RawAnswer): string | undefined {
  if (!STATUSES.includes(status)) return `the status is ${status}`;
  if (status < 400 || body === '' || !isHttp || !isOwn) return undefined;
  const { jsonrpc, error } = JSON.parse(body) as JsonObject;
  const { code, message } = (error ?? {}) as JsonObject;
  const isError = jsonrpc === '2.0' && Number.isInteger(code) && typeof message === 'string';
  return isError ? undefined : `the body is ${body.slice(0, 200)}`;
}

describe.each(MODES)('A server $mode on $adapter', ({ adapter, stateless }) => {
  let program: NodeProgram;
  let url: string;
  const faults: string[] = [];
  const statuses: Record<number, number> = {};

  beforeAll(async () => {
    const environment = { ADAPTER: adapter, STATELESS: stateless ? '1' : '0' };
    program = new NodeProgram(PROGRAM, environment, ['--expose-gc']);
    await program.prints('ready');
    url = /ready (\S+)/.exec(program.stdout)?.[1] ?? '';
  });

  afterAll(() => program.stop());

  async function pester(dice: Dice, requests: number): Promise<void> {
    const names = stateless ? NO_NAMES : await openNames(url);
    let left = requests;
    const send = async () => {
      while (left-- > 0) await exchange(makeRequest(dice, names));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    names.close();
  }

  async function exchange(request: MalformedRequest): Promise<void> {
    const { bytes, isHttp, isHead } = request;
    const answers = await exchangeBytes(Number(new URL(url).port), { bytes, isEnded: !isHttp, isHead });
    if (isHttp && answers.length !== 1) faults.push(`${answers.length} answers to ${show(bytes)}`);
    for (const answer of answers) {
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const fault = findFault(request, answer);
      if (fault !== undefined) faults.push(`${fault} for ${show(bytes)}`);
    }
  }

  async function measureHeap(): Promise<number> {
    return Number((await sendHttp(new URL('/heap', url).href)).text);
  }

  it(`answers ${WARM_UP + REQUESTS} malformed requests, each with a defined status, and keeps nothing of them (SAFE-01)`, async () => {
    const dice = new Dice();
    await pester(dice, WARM_UP);
    const before = await measureHeap();
    await pester(dice, REQUESTS);

    expect({ seed: SEED, faults: faults.slice(0, 20) }).toEqual({ seed: SEED, faults: [] });
    expect(Object.keys(statuses).length).toBeGreaterThan(6);
    // Sessions that somebody opened end when nobody uses them.
    const isBack = async () => (await measureHeap()) - before < HEAP_GROWTH_BYTES;
    await until(isBack, 'the heap to be as it was', 20_000);
    const session = await initialize(url);
    for (const client of [session, perRequest(url)]) {
      expect((await client.request('tools/call', { name: 'greet' })).status).toBe(200);
    }
  }, 120_000);
});

const NO_NAMES = { sessionId: 'none', close: () => undefined };

/** Opens a session of each transport, for requests that name one which is there. */
async function openNames(url: string): Promise<RealNames & { close(): void }> {
  const { id: sessionId } = await initialize(url);
  const stream = await openHttp(new URL('/sse', url).href, { headers: { accept: 'text/event-stream' } });
  const [chunk] = (await once(stream, 'data')) as [Buffer];
  const [, streamId = ''] = /sessionId=(\S+)/.exec(chunk.toString()) ?? [];
  return { sessionId, streamId, close: () => void stream.destroy() };
}

function show(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1').slice(0, 1000));
}
