import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Message } from '../../support/clients/message.js';
import type { Heard, KeptStream } from '../../support/cluster/kept-stream.js';
import { EntryAccounts } from '../../support/cluster/entry-accounts.js';
import { SharedHistory, type Interest } from '../../support/cluster/shared-history.js';

const EVERYTHING: Interest = { level: 'debug', uris: new Set(['desk://1']) };

const entry = (data: string, level = 'info'): Message => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level, data },
});
const UPDATE: Message = {
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri: 'desk://1' },
};
const NOTICE = entry('Messages from the server were lost: fetch again', 'warning');

/** What is published: entries, and an update as the third. */
const PUBLISHED: readonly Heard[] = [entry('1'), entry('2'), UPDATE, entry('4')].map((message, index) => ({
  id: `log:${index + 1}`,
  message,
  at: index,
}));
const [FIRST, SECOND, THIRD, FOURTH] = PUBLISHED as [Heard, Heard, Heard, Heard];
const withoutId = ({ message }: Heard): Heard => ({ id: undefined, message, at: 0 });

describe('The model of what clients are owed', () => {
  let history: SharedHistory;

  beforeEach(() => {
    const witness = { heard: PUBLISHED } as unknown as KeptStream;
    history = new SharedHistory(() => [witness], new EntryAccounts());
    history.take();
  });

  function check(heard: readonly Heard[], interest = EVERYTHING, mayLose = false): readonly string[] {
    const stream = { heard } as unknown as KeptStream;
    return history.check(
      { name: 'ada', stream, interests: [[0, interest]], levels: [], settled: [] },
      mayLose,
    );
  }

  it('finds nothing if all was heard, once and in order', () => {
    expect(check(PUBLISHED)).toEqual([]);
  });

  it('finds what a client missed', () => {
    expect(check([FIRST, SECOND, FOURTH])).toEqual([
      'ada never heard notifications/resources/updated desk://1 at log:3',
    ]);
  });

  it('finds what came twice, late, or where nobody else heard it', () => {
    const other = { id: 'log:9', message: entry('9'), at: 0 };
    expect(check([FIRST, THIRD, SECOND, FOURTH, FOURTH, other])).toEqual([
      'ada heard info 2 at log:2 late, behind log:3',
      'ada heard info 4 at log:4 twice',
      'ada heard info 9 at log:9, where nobody else did',
    ]);
  });

  it('finds what a client did not want', () => {
    expect(check(PUBLISHED, { level: 'info', uris: new Set() })).toEqual([
      'ada heard notifications/resources/updated desk://1 at log:3, and did not want it',
    ]);
  });

  it('takes what was told without an id for heard, once', () => {
    expect(check([FIRST, SECOND, withoutId(THIRD), FOURTH])).toEqual([]);
    expect(check([FIRST, withoutId(THIRD)])).toHaveLength(2);
  });

  it('takes a notice for what was lost just before it, and for nothing else', () => {
    const notice = [withoutId(THIRD), { id: 'log:3', message: NOTICE, at: 0 }];
    expect(check([FIRST, ...notice, FOURTH], EVERYTHING, true)).toEqual([]);
    expect(check([...notice, FIRST, SECOND, FOURTH], EVERYTHING, true)).toHaveLength(1);
    expect(check([FIRST, ...notice, FOURTH])).toEqual(['ada was told of a loss, and nothing was lost']);
  });
});
