import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Heard } from '../../support/cluster/kept-stream.js';
import { EntryAccounts, type Level, type WantedLevel } from '../../support/cluster/entry-accounts.js';

/** A level that counts everywhere from its time on. */
const since = (level: Level, asked: number, sure = asked): WantedLevel => ({
  level,
  asked,
  sure,
  process: 0,
  hasMoved: false,
  isLost: false,
});

function hear(text: string, level: Level = 'info', at = Infinity): Heard {
  const message = { jsonrpc: '2.0' as const, method: 'notifications/message', params: { level, data: text } };
  return { id: undefined, message, at };
}

describe('The model of what clients are owed of log entries', () => {
  let accounts: EntryAccounts;

  beforeEach(() => {
    accounts = new EntryAccounts();
    accounts.ask('number 1', 'info', 0);
    accounts.ask('number 2', 'info', 0);
  });

  function check(heard: readonly Heard[], levels: readonly WantedLevel[] = [since('debug', 0)]) {
    return accounts.check({ name: 'ada', stream: { heard }, levels, settled: [] });
  }

  it('finds nothing if each came once, in the order of its process', () => {
    expect(check([hear('number 1 of 7.1'), hear('number 3 of 8.1'), hear('number 2 of 7.2')])).toEqual([]);
  });

  it('finds what came twice, and what came behind what its process wrote later', () => {
    const heard = [hear('number 2 of 7.2'), hear('number 1 of 7.1'), hear('number 2 of 7.2')];
    expect(check(heard)).toEqual([
      'ada heard info number 1, 1 of 7, at undefined behind 2',
      'ada heard info number 2, 2 of 7, at undefined twice',
    ]);
  });

  it('lets come late what not every process knew to be wanted when it was written', () => {
    const heard = [hear('number 2 of 7.2'), hear('number 1 of 7.1')];
    const levels = [since('warning', 0), since('debug', 1, Infinity)];
    expect(check(heard, levels)).toEqual([]);
  });

  it('finds what is below the level that counted when it was written', () => {
    const heard = [hear('number 1 of 7.1')];
    expect(check(heard, [since('debug', 0), since('warning', 1)])).toEqual([
      'ada heard info number 1, 1 of 7, at undefined, below warning',
    ]);
    expect(check(heard, [since('debug', 0), since('warning', 1, Infinity)])).toEqual([]);
    expect(check(heard, [since('warning', 0), since('debug', 1)])).toEqual([]);
  });

  it('owes what every level lets through that may have counted until all was heard', () => {
    const owes = (levels: readonly WantedLevel[], settled: readonly number[] = []) =>
      accounts.isOwed(
        { name: 'ada', stream: { heard: [] }, levels, settled },
        hear('number 1 of 7.1').message,
      );
    const soon = performance.now() + 1;
    expect(owes([since('info', 0)])).toBe(true);
    expect(owes([since('info', 0), since('warning', soon + 1)])).toBe(false);
    expect(owes([since('info', 0), since('warning', soon + 1)], [soon])).toBe(true);
    expect(
      accounts.isOwed(
        { name: 'ada', stream: { heard: [] }, levels: [], settled: [] },
        hear('sign 1').message,
      ),
    ).toBe(undefined);
  });
});
