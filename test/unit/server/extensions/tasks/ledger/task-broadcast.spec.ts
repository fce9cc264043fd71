import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskBroadcast } from '../../../../../../lib/server/extensions/tasks/ledger/task-broadcast.js';
import { LocalBus } from '../../../../../../lib/server/cluster/local-bus.js';
import { buildRecord } from '../build-record.js';
import type { ClusterBus } from '../../../../../../lib/server/cluster/cluster-bus.js';

/** What the tasks of one owner may cause at once. */
const AT_ONCE = 200;

describe('TaskBroadcast', () => {
  let published: string[];
  let broadcast: TaskBroadcast;

  beforeEach(() => {
    published = [];
    const publish: ClusterBus['publish'] = ({ name }) => void published.push(name);
    const bus = Object.assign(new LocalBus(), { isShared: true, publish }) as unknown as ClusterBus;
    broadcast = new TaskBroadcast({
      bus,
      refresh: async () => undefined,
      isPublished: () => false,
      note: () => undefined,
    });
  });

  afterEach(() => broadcast.close());

  const tellOf = (owner: string) => {
    for (let index = 0; index < AT_ONCE; index += 1) {
      broadcast.publish(buildRecord({ taskId: `${owner} ${index}`, owner: `${owner}~key-${index}` }));
    }
  };

  it('lets an owner cause so many entries, however many keys that has (FAIR-02) (XTN-03)', () => {
    tellOf('ada');
    expect(published).toHaveLength(AT_ONCE);
    tellOf('ada');
    // What is beyond is told of together, and takes nothing from others.
    expect(published).toHaveLength(AT_ONCE);
    tellOf('bob');
    expect(published).toHaveLength(2 * AT_ONCE);
    broadcast.close();
    expect(published.at(-1)).toBe('tasks.changed');
  });
});
