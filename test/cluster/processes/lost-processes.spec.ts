import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { perRequest } from '../../support/clients/json-rpc.js';
import { callTool } from '../../support/clients/tools.js';
import { endAfterEach } from '../../support/cluster/end-after-each.js';
import { WAYS_TO_LISTEN } from '../../support/cluster/listening.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until, within } from '../../support/until.js';

const LONG_MS = 30_000;
const LIST_CHANGED = 'notifications/tools/list_changed';

let count = 0;
const nextName = () => `later-${(count += 1)}`;

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start();
}, 120_000);

afterAll(() => cluster.stop());

const begin = endAfterEach();

/** The first process is the one that ends. */
afterEach(async () => {
  await cluster.at(0).stop('SIGKILL');
  await cluster.replace(0);
  cluster.balancer.takeIn(0);
});

describe.each(WAYS_TO_LISTEN)('Whoever reads %s of a process', (_way, listen) => {
  it('that is killed hears of its end, and listens in another (RELAY-01) (RELAY-05)', async () => {
    const stream = await listen(cluster.at(0).origin);
    await cluster.at(0).stop('SIGKILL');
    await within(stream.ended, 'the end of the stream', LONG_MS);
    const next = await begin(listen(cluster.balancer.origin));
    await callTool(cluster.urlOf(2), 'addTool', { name: nextName() });
    expect(await next.nextNotification(LIST_CHANGED, LONG_MS)).toBeDefined();
  });

  it('that is told to end is let go in order, and listens in another (RELAY-08)', async () => {
    const stream = await listen(cluster.at(0).origin);
    cluster.balancer.leaveOut(0);
    cluster.at(0).signal('SIGTERM');
    await within(stream.ended, 'the end of the stream', LONG_MS);
    expect(stream.response.complete).toBe(true);
    expect(await cluster.at(0).exitCode()).toBe(0);
    const next = await begin(listen(cluster.balancer.origin));
    await callTool(cluster.urlOf(2), 'addTool', { name: nextName() });
    expect(await next.nextNotification(LIST_CHANGED, LONG_MS)).toBeDefined();
  });
});

describe('A call of 2026-07-28 that was asked by a process which is killed', () => {
  it('goes on in another with the answer (RELAY-01) (RELAY-05)', async () => {
    const capabilities = { elicitation: { form: {} } };
    const at = (index: number) => perRequest(cluster.urlOf(index), { capabilities });
    const { result: asked } = await at(0).request('tools/call', { name: 'ask' });
    expect(asked).toMatchObject({ resultType: 'input_required' });
    await cluster.at(0).stop('SIGKILL');
    const { requestState } = asked ?? {};
    const inputResponses = { word: { action: 'accept', content: { word: 'verso' } } };
    const params = { name: 'ask', requestState, inputResponses };
    const { result } = await at(1).request('tools/call', params);
    expect(result).toMatchObject({ content: [{ text: `verso at ${cluster.at(1).pid}` }] });
  });

  it('breaks if it runs there, and works when it is made again through the balancer (RELAY-05)', async () => {
    const call = perRequest(cluster.urlOf(0)).start('tools/call', {
      name: 'hold',
      arguments: { name: 'x' },
    });
    const failed = call.answer(LONG_MS).then(
      ({ result }) => result,
      (error: unknown) => error,
    );
    await cluster.at(0).prints('holding x.');
    await cluster.at(0).stop('SIGKILL');
    expect(await failed).not.toMatchObject({ content: expect.anything() });
    const again = () => callTool(cluster.url, 'where', {}).catch(() => '');
    expect(await until(again, 'an answer', LONG_MS)).toMatch(/^\d+$/);
  });
});
