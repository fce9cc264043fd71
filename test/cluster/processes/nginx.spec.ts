import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../conformance/find-free-port.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { callToolIn, textOfCall } from '../../support/clients/tools.js';
import { announce } from '../../support/cluster/audience.js';
import { CallLoad } from '../../support/cluster/call-load.js';
import { endAfterEach } from '../../support/cluster/end-after-each.js';
import { KeptStream, range } from '../../support/cluster/kept-stream.js';
import { WAYS_TO_LISTEN } from '../../support/cluster/listening.js';
import { Nginx, NGINX } from '../../support/cluster/nginx.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';
import { KINDS } from './official-clients.js';

const LONG_MS = 60_000;

if (NGINX === undefined) {
  const text =
    'nginx is not installed: what docs/scaling.md says of it is NOT tested (apt-get install nginx-light)';
  if (process.env['CI'] !== undefined) throw new Error(text);
  console.warn(text);
}

const begin = endAfterEach();

(NGINX === undefined ? describe.skip : describe)('nginx, set up as the page on scaling says', () => {
  let cluster: ProcessCluster;
  let nginx: Nginx;

  beforeAll(async () => {
    // A process comes back to its port: meanwhile no connection may be given it.
    const ports = await Promise.all(Array.from({ length: 3 }, () => findFreePort()));
    cluster = await ProcessCluster.start({
      differences: (index) => ({ environment: { PORT: `${ports[index]}` } }),
    });
    nginx = await Nginx.start(cluster.processes.map(({ origin }) => origin));
  }, 120_000);

  afterAll(async () => {
    await nginx.stop();
    await cluster.stop();
  });

  const countPrinted = (text: string) =>
    cluster.processes.filter(({ stdout }) => stdout.includes(text)).length;

  it.each(WAYS_TO_LISTEN)('passes on at once what comes on %s (RELAY-01)', async (way, listen) => {
    const stream = await begin(listen(nginx.origin));
    for (const { url } of cluster.processes) {
      const name = `${way} ${url}`.replaceAll(/\W/g, '-');
      await perRequest(url).request('tools/call', { name: 'addTool', arguments: { name } });
      await stream.nextNotification('notifications/tools/list_changed', LONG_MS);
    }
    expect(stream.headers['x-served-by']).toBeDefined();
  });

  it('passes on progress before the answer, and what is cancelled (RELAY-01) (RELAY-05)', async () => {
    const session = await initialize(nginx.url);
    for (const count of [1, 2, 3]) {
      const name = `proxied ${count}`;
      const params = { name: 'hold', arguments: { name }, _meta: { progressToken: 't' } };
      const call = session.start('tools/call', params);
      const stream = await call.stream();
      await stream.nextNotification('notifications/progress', LONG_MS);
      await session.notify('notifications/cancelled', { requestId: call.id });
      const isAborted = () => countPrinted(`aborted ${name}.`) === 1;
      expect(await until(isAborted, 'the abortion', LONG_MS)).toBe(true);
      await stream.close();
    }
  });

  it.each(KINDS)(
    'lets the official client $kind call, and answer what it is asked (RELAY-01) (RELAY-05)',
    async ({ connect }) => {
      const client = await begin(connect(nginx.origin));
      expect(await client.listTools()).toContain('where');
      for (let count = 0; count < 3; count += 1) expect(await client.call('ask')).toMatch(/verso at \d+$/);
    },
  );

  it('repeats no call whose process is killed, and sends those that come to others (RELAY-05)', async () => {
    const session = await initialize(nginx.url);
    const params = { name: 'work', arguments: { ms: 600_000, name: 'once' } };
    const answered = session.request('tools/call', params, { accept: 'application/json' });
    await until(() => countPrinted('working once') === 1, 'the call', LONG_MS);
    const index = cluster.processes.findIndex(({ stdout }) => stdout.includes('working once'));
    await cluster.at(index).stop('SIGKILL');
    expect((await answered).status).toBe(502);
    const pids = new Set<string>();
    for (let count = 0; count < 12; count += 1) pids.add(await callToolIn(session, 'where'));
    expect(pids.size).toBe(2);
    expect(countPrinted('working once')).toBe(1);
    await cluster.replace(index, { environment: { PORT: new URL(cluster.at(index).origin).port } });
    const isBack = async () => {
      const { result } = await session.request('tools/call', { name: 'where' });
      return textOfCall(result) === String(cluster.at(index).pid);
    };
    expect(await until(isBack, 'the process that came back', LONG_MS)).toBe(true);
  }, 120_000);

  it('brings a client back to what it missed, though its process is killed under load (RELAY-03)', async () => {
    const stream = await begin(KeptStream.open(await initialize(nginx.url)));
    const load = await begin(CallLoad.start(nginx.url));
    for (const [turn, { origin }] of cluster.processes.entries()) {
      const other = cluster.urlOf((turn + 1) % 3);
      await announce(other, { count: 10, from: 1 + turn * 20 });
      await load.allowFailuresDuring(() => cluster.at(turn).stop('SIGKILL'));
      await announce(other, { count: 10, from: 11 + turn * 20 });
      await cluster.replace(turn, { environment: { PORT: new URL(origin).port } });
      await until(() => stream.numbers.at(-1) === 20 + turn * 20, 'numbers', LONG_MS);
      await load.goOn();
    }
    expect(stream.numbers).toEqual(range(1, 60));
    expect(load.failures).toEqual([]);
  }, 300_000);
});
