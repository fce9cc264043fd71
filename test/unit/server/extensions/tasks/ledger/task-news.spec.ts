import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskNews } from '../../../../../../lib/server/extensions/tasks/ledger/task-news.js';
import { LocalRelay } from '../../../../../../lib/server/relay/local-relay.js';
import { buildRecord } from '../build-record.js';
import type { Relay } from '../../../../../../lib/server/relay/relay.js';

/** What the tasks of one owner may cause at once. */
const AT_ONCE = 200;

describe('TaskNews', () => {
  let published: string[];
  let news: TaskNews;

  beforeEach(() => {
    published = [];
    const publish: Relay['publish'] = ({ name }) => void published.push(name);
    const relay = Object.assign(new LocalRelay(), { isShared: true, publish }) as unknown as Relay;
    news = new TaskNews({ relay, look: async () => undefined, isTold: () => false, note: () => undefined });
  });

  afterEach(() => news.close());

  const tellOf = (owner: string) => {
    for (let index = 0; index < AT_ONCE; index += 1) {
      news.tell(buildRecord({ taskId: `${owner} ${index}`, owner: `${owner}~key-${index}` }));
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
    news.close();
    expect(published.at(-1)).toBe('tasks.changed');
  });
});
