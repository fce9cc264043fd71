import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { MemberLiveness } from '../../../../lib/server/cluster/member-liveness.js';
import type { ClusterBus } from '../../../../lib/server/cluster/cluster-bus.js';

const CERTAIN_MS = 5000;

describe('MemberLiveness', () => {
  let now = 1_000_000;
  let members: readonly string[] | undefined = [];
  let ended: readonly string[] = [];
  let looks = 0;

  afterEach(() => void jest.restoreAllMocks());

  function create(): MemberLiveness {
    [now, members, ended, looks] = [1_000_000, [], [], 0];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const shared = {
      members: () => ((looks += 1), members ? Promise.resolve(members) : Promise.reject(new Error('away'))),
      find: (key: string) => Promise.resolve(ended.includes(key) ? { ended: '1' } : undefined),
    };
    return new MemberLiveness({ shared } as unknown as ClusterBus, { certainMs: CERTAIN_MS });
  }

  /** Looks at intervals, and gives the last finding. */
  async function lookFor(absences: MemberLiveness, ms: number, member = 'a'): Promise<string> {
    let presence = await absences.check(member);
    for (const end = now + ms; now < end;) {
      now += 1000;
      presence = await absences.check(member);
    }
    return presence;
  }

  it('takes a process for gone that was away all the time for so long, and not before (RELAY-05)', async () => {
    const absences = create();
    expect(await lookFor(absences, CERTAIN_MS - 1000)).toBe('missing');
    expect(absences.isGone('a')).toBe(false);
    expect(await lookFor(absences, 1000)).toBe('gone');
    expect([absences.isGone('a'), absences.isGone('b')]).toEqual([true, false]);
    now += 10_000;
    expect(absences.isGone('a')).toBe(false);
    expect(await absences.check('a')).toBe('gone');
  });

  it('begins anew if it was not looked for in between, or the process was there (RELAY-05)', async () => {
    const absences = create();
    await absences.check('a');
    now += CERTAIN_MS;
    expect(await absences.check('a')).toBe('missing');
    now += 1000;
    members = ['a'];
    expect(await absences.check('a')).toBe('there');
    now += 1000;
    members = [];
    expect(await lookFor(absences, CERTAIN_MS - 1000)).toBe('missing');
  });

  it('takes a process for gone at once that said that it ends (RELAY-05) (RELAY-08)', async () => {
    const absences = create();
    ended = ['ended:a'];
    expect([await absences.check('a'), await absences.check('b')]).toEqual(['gone', 'missing']);
  });

  it('forgets that a process is gone once that answers (RELAY-05)', async () => {
    const absences = create();
    await lookFor(absences, CERTAIN_MS);
    absences.forget('a');
    expect(absences.isGone('a')).toBe(false);
    now += 1000;
    expect(await absences.check('a')).toBe('missing');
  });

  it('does not know while the engine is away (RELAY-07)', async () => {
    const absences = create();
    members = undefined;
    expect(await absences.check('a')).toBe('unknown');
  });

  it('looks once for all who ask within a moment (RELAY-05)', async () => {
    const absences = create();
    await Promise.all(['a', 'a', 'b', 'c'].map((member) => absences.check(member)));
    expect(looks).toBe(1);
    now += 249;
    members = ['a', 'd'];
    expect([await absences.check('a'), await absences.check('d'), looks]).toEqual(['missing', 'missing', 1]);
    now += 1;
    expect([await absences.check('a'), looks]).toEqual(['there', 2]);
  });
});
