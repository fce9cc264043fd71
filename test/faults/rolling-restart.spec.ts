import { afterEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../support/applications/boot.js';
import { perRequest } from '../support/clients/json-rpc.js';
import { startRoundRobin, type RoundRobin } from '../support/round-robin.js';
import { until } from '../support/until.js';
import { readText, startFaulty, type HttpServer } from './faulty-wires.js';

const WORKERS = 8;
const CALL = { name: 'work', arguments: { ms: 20 } };

describe.each(ADAPTERS)('Two processes that restart one after the other, on %s', (adapter) => {
  let servers: HttpServer[] = [];
  let balancer: RoundRobin | undefined;

  afterEach(async () => {
    balancer?.stop();
    await Promise.all(servers.map(({ program }) => program.stop('SIGKILL')));
  });

  it('fail no call of the stateless revision (STLS-01) (MOD-12)', async () => {
    const start = () => startFaulty({ ADAPTER: adapter });
    servers = await Promise.all([start(), start()]);
    const before = [...servers];
    const urls = servers.map(({ url }) => url);
    balancer = await startRoundRobin(urls);
    const client = perRequest(balancer.url);
    const texts: string[] = [];
    const calls = Array.from({ length: WORKERS }, () => 0);
    const over = new AbortController();
    const work = async (_: number, worker: number): Promise<void> => {
      while (!over.signal.aborted) {
        const call = client.request('tools/call', CALL);
        texts.push(await call.then(readText, String));
        calls[worker] = (calls[worker] ?? 0) + 1;
      }
    };
    const working = Promise.all(calls.map(work));
    const callOn = async (): Promise<void> => {
      const made = [...calls];
      // The second call that ends from here on has begun from here on, and was sent where calls are sent now.
      await until(() => made.every((count, worker) => (calls[worker] ?? 0) >= count + 2), 'calls');
    };
    for (const { program, url } of before) {
      await callOn();
      // A balancer sends nothing more to a process, and lets go what is on its way, before that is told to end.
      urls.splice(urls.indexOf(url), 1);
      await callOn();
      await program.stop('SIGTERM');
      const server = await start();
      servers.push(server);
      urls.push(server.url);
    }
    await callOn();
    over.abort();
    await working;
    expect(texts.filter((text) => text !== 'worked')).toEqual([]);
    expect(urls).not.toContain(before[0]?.url);
  });
});
