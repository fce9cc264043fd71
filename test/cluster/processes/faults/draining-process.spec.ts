import { afterEach, describe, expect, it } from '@jest/globals';
import { initialize } from '../../../support/clients/json-rpc.js';
import { textOfCall } from '../../../support/clients/tools.js';
import { announce, Audience } from '../../../support/cluster/audience.js';
import { CallLoad } from '../../../support/cluster/call-load.js';
import { range } from '../../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { until } from '../../../support/until.js';

const LONG_MS = 60_000;
const END_MS = 30_000;

/** Longer than a machine that does much else takes for some calls and for the balancer to know. */
const DRAIN_MS = 10_000;
/** It takes longer than the process drains. */
const LONG_WORK = { ms: DRAIN_MS + 5_000, name: 'long' };

let cluster: ProcessCluster;
let load: CallLoad | undefined;
let audience: Audience | undefined;

afterEach(async () => {
  await audience?.close();
  await load?.stop();
  await cluster.stop();
  audience = load = undefined;
}, 60_000);

describe('One of three processes that drains after SIGTERM', () => {
  it('serves until its balancer knows, ends its calls, and loses nothing of what clients are told (RELAY-08) (RELAY-03)', async () => {
    cluster = await ProcessCluster.start({ environment: { DRAIN_MS: `${DRAIN_MS}` } });
    audience = await Audience.openMany(cluster.url, 12);
    load = await CallLoad.start(cluster.url, { repeats: 0 });
    const session = await initialize(cluster.urlOf(1));
    const answer = session.start('tools/call', { name: 'work', arguments: LONG_WORK }).answer(LONG_MS);
    await cluster.at(1).prints('working long');
    const announced = announce(cluster.urlOf(0), { count: 300, intervalMs: 20 });
    const { streams } = audience;
    await until(() => streams.every(({ numbers }) => numbers.length >= 20), 'numbers', LONG_MS);
    cluster.at(1).signal('SIGTERM');
    // Requests still come, and are served.
    await load.goOn();
    cluster.balancer.leaveOut(1);
    expect(textOfCall((await answer).result)).toBe(`worked long at ${cluster.at(1).pid}`);
    expect(await cluster.at(1).exitCode(END_MS)).toBe(0);
    await announced;
    await audience.heard(300);
    await load.goOn();
    expect(audience.histories).toEqual([range(1, 300)]);
    expect(load.failures).toEqual([]);
    // Whoever was let go came back elsewhere, and was refused nowhere.
    expect(streams.some(({ returns }) => returns > 0)).toBe(true);
    expect(streams.flatMap(({ refusals }) => refusals)).toEqual([]);
  }, 180_000);
});
