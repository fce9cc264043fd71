import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { namesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { callTool } from '../../support/clients/tools.js';
import { endAfterEach } from '../../support/cluster/end-after-each.js';
import { WAYS_TO_LISTEN } from '../../support/cluster/listening.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LONG_MS = 30_000;
const LISTS = [
  ['tools', 'addTool'],
  ['prompts', 'addPrompt'],
  ['resources', 'addResource'],
] as const;

let cluster: ProcessCluster;
let count = 0;

beforeAll(async () => {
  cluster = await ProcessCluster.start();
}, 120_000);

afterAll(() => cluster.stop());

const begin = endAfterEach();
const nextName = () => `later-${(count += 1)}`;

describe.each(WAYS_TO_LISTEN)('On %s', (_way, listen) => {
  it('a client hears of changes of each list, whichever process makes them (RELAY-01)', async () => {
    const stream = await begin(listen(cluster.at(0).origin));
    for (const [list, tool] of LISTS) {
      for (const { url } of cluster.processes) {
        await callTool(url, tool, { name: nextName() });
        const told = await stream.nextNotification(`notifications/${list}/list_changed`, LONG_MS);
        expect(told.method).toBe(`notifications/${list}/list_changed`);
      }
    }
  });

  it('a client hears of a change that is made in every process (RELAY-01)', async () => {
    const stream = await begin(listen(cluster.at(1).origin));
    const name = nextName();
    expect(await callTool(cluster.urlOf(2), 'addToolEverywhere', { name })).toBe(name);
    await stream.nextNotification('notifications/tools/list_changed', LONG_MS);
    for (const { url } of cluster.processes) {
      const isThere = async () => {
        const { result } = await perRequest(url).request('tools/list');
        return namesOf(result, 'tools').includes(name);
      };
      await until(isThere, 'the tool in every process', LONG_MS);
      expect(await callTool(url, name, {})).toBe(name);
    }
  });
});
