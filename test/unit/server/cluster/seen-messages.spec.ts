import { describe, expect, it } from '@jest/globals';
import { ReceivedMessages } from '../../../../lib/server/cluster/inbox.js';

describe('SeenMessages', () => {
  it('takes each message of each process once (RELAY-12)', () => {
    const taken = new ReceivedMessages();
    const send = (from: string, id: number) => taken.take({ from, id, until: 100 }, 0);
    expect([send('a', 1), send('b', 1), send('a', 2), send('a', 1), send('b', 1)]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('takes no message whose time is over, remembered or not (RELAY-12)', () => {
    const taken = new ReceivedMessages();
    const send = (id: number, now: number) => taken.take({ from: 'a', id, until: 100 }, now);
    expect([send(1, 100), send(1, 100), send(1, 101), send(2, 101)]).toEqual([true, false, false, false]);
  });

  it('remembers the newest messages alone (FAIR-03)', () => {
    const taken = new ReceivedMessages();
    const send = (id: number) => taken.take({ from: 'a', id, until: 100 }, 0);
    for (let id = 0; id < 20_000; id += 1) send(id);
    expect([send(0), send(19_999)]).toEqual([true, false]);
  });
});
