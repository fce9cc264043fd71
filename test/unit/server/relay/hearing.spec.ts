import { describe, expect, it } from '@jest/globals';
import type { ClusterPosition } from 'nestjs-mcp';
import { Hearing, type HearingParts } from '../../../../lib/server/relay/hearing.js';

const at = (number: number): ClusterPosition => ({ epoch: 'log', number });

describe('Hearing', () => {
  /** Answers as a process does that has taken so much of the log. */
  function create(heardMs: number) {
    const relay = {
      position: at(1) as ClusterPosition | undefined,
      reach: (_place: ClusterPosition): unknown => undefined,
      answer: (_query: object, reply: (place: ClusterPosition) => unknown) => (relay.reach = reply),
      requestAll: () => Promise.resolve([]),
    };
    const publisher = { settled: () => Promise.resolve(), newest: at(1) };
    const parts = { relay, publisher, waits: { heardMs } } as unknown as HearingParts;
    return { relay, hearing: new Hearing(parts) };
  }

  it('answers at once about what this process has taken, and later once it has (RELAY-03)', async () => {
    const { relay, hearing } = create(60_000);
    expect([await relay.reach(at(0)), await relay.reach(at(1))]).toEqual([true, true]);
    const answered: string[] = [];
    const second = Promise.resolve(relay.reach(at(2))).then((has) => answered.push(`second ${String(has)}`));
    const third = Promise.resolve(relay.reach(at(3))).then((has) => answered.push(`third ${String(has)}`));
    hearing.noteTaken();
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toEqual([]);
    relay.position = at(2);
    hearing.noteTaken();
    await second;
    expect(answered).toEqual(['second true']);
    relay.position = at(3);
    hearing.noteTaken();
    await third;
    expect(answered).toEqual(['second true', 'third true']);
  });

  it('does not wait for ever for what never comes (RELAY-07)', async () => {
    const { relay } = create(1);
    relay.position = undefined;
    expect(await relay.reach(at(2))).toBe(false);
  });
});
