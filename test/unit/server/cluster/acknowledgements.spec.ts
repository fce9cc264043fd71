import { describe, expect, it } from '@jest/globals';
import type { ClusterPosition } from 'nestjs-mcp';
import {
  type AcknowledgementParts,
  Acknowledgements,
} from '../../../../lib/server/cluster/acknowledgements.js';

const at = (number: number): ClusterPosition => ({ epoch: 'log', number });

describe('Acknowledgements', () => {
  /** Answers as a process does that has taken so much of the log. */
  function create(acknowledgedMs: number) {
    const bus = {
      position: at(1) as ClusterPosition | undefined,
      reach: (_place: ClusterPosition): unknown => undefined,
      respond: (_query: object, reply: (place: ClusterPosition) => unknown) => (bus.reach = reply),
      requestAll: () => Promise.resolve([]),
    };
    const publisher = { settled: () => Promise.resolve(), newest: at(1) };
    const parts = { bus, publisher, waits: { acknowledgedMs } } as unknown as AcknowledgementParts;
    return { bus, acknowledgements: new Acknowledgements(parts) };
  }

  it('answers at once about what this process has taken, and later once it has (RELAY-03)', async () => {
    const { bus, acknowledgements } = create(60_000);
    expect([await bus.reach(at(0)), await bus.reach(at(1))]).toEqual([true, true]);
    const answered: string[] = [];
    const second = Promise.resolve(bus.reach(at(2))).then((has) => answered.push(`second ${String(has)}`));
    const third = Promise.resolve(bus.reach(at(3))).then((has) => answered.push(`third ${String(has)}`));
    acknowledgements.noteTaken();
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toEqual([]);
    bus.position = at(2);
    acknowledgements.noteTaken();
    await second;
    expect(answered).toEqual(['second true']);
    bus.position = at(3);
    acknowledgements.noteTaken();
    await third;
    expect(answered).toEqual(['second true', 'third true']);
  });

  it('does not wait for ever for what never comes (RELAY-07)', async () => {
    const { bus } = create(1);
    bus.position = undefined;
    expect(await bus.reach(at(2))).toBe(false);
  });
});
