import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULTS } from '../programs/faulty/faults.js';
import { initialize, perRequest } from '../support/clients/json-rpc.js';
import { until } from '../support/until.js';
import { readText, startFaulty, type HttpServer, type WireClient } from './faulty-wires.js';

const MEGABYTE = 1_048_576;
/** What makes the event loop wait is left out, so that there can be many rounds. */
const KINDS = Object.keys(FAULTS).filter((kind) => !['million', 'returnsDepth'].includes(kind));
const ROUNDS = 6;
/** Less than a tenth of what one kind would keep if a round kept a kilobyte for each call. */
const GROWTH = 3 * MEGABYTE;
const LARGE = 50_000_000;

interface Usage {
  readonly bytes: number;
  readonly timers: number;
  readonly sessions: number;
}

describe('The memory of a server whose handlers fail', () => {
  let server: HttpServer;
  let wires: readonly WireClient[];

  beforeAll(async () => {
    server = await startFaulty({ CALL_TIMEOUT_MS: '60' });
    wires = [await initialize(server.url), perRequest(server.url)];
  });

  afterAll(async () => void (await server.program.stop('SIGKILL')));

  it('keeps nothing of calls that failed, hung or gave rubbish (SAFE-04)', async () => {
    await fail(wires, 3);
    const before = await measure(server.url);
    await fail(wires, ROUNDS);
    // Some handlers go on for a while after their call is over.
    await until(async () => (await measure(server.url)).timers <= before.timers, 'timers to end');
    const after = await measure(server.url);
    expect(after.bytes - before.bytes).toBeLessThan(GROWTH);
    expect(after.sessions).toBe(before.sessions);
  });
});

describe('The memory of a server whose answers are large', () => {
  let server: HttpServer;

  beforeAll(async () => {
    server = await startFaulty({ CALL_TIMEOUT_MS: '60000' });
  });

  afterAll(async () => void (await server.program.stop('SIGKILL')));

  it('is given back after fifty megabytes of text, which arrive whole (SAFE-04)', async () => {
    const wires = [await initialize(server.url), perRequest(server.url)];
    const before = await measure(server.url);
    for (const client of wires) {
      const tool = await client.request('tools/call', { name: 'large' });
      const resource = await client.request('resources/read', { uri: 'large://text' });
      const [contents] = (resource.result?.['contents'] ?? []) as { text: string }[];
      expect([readText(tool).length, contents?.text.length]).toEqual([LARGE, LARGE]);
    }
    await until(
      async () => (await measure(server.url)).bytes - before.bytes < GROWTH,
      'the memory to be given back',
    );
  });
});

/** Meets every fault of every kind of handler, so many times. */
async function fail(clients: readonly WireClient[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(clients.flatMap((client) => KINDS.flatMap((kind) => operateAll(client, kind))));
  }
}

function operateAll(client: WireClient, kind: string): Promise<unknown>[] {
  const completion = {
    ref: { type: 'ref/prompt', name: 'prompt' },
    argument: { name: 'kind', value: kind },
  };
  return [
    client.request('tools/call', { name: 'fault', arguments: { kind } }),
    client.request('resources/read', { uri: `faulty://${kind}` }),
    client.request('prompts/get', { name: 'prompt', arguments: { kind } }),
    client.request('completion/complete', completion),
  ];
}

async function measure(url: string): Promise<Usage> {
  const answer = await perRequest(url).request('tools/call', { name: 'usage' });
  return JSON.parse(readText(answer)) as Usage;
}
