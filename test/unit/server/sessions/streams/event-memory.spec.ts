import { afterAll, describe, expect, it } from '@jest/globals';
import { MemoryBudget } from '../../../../../lib/server/memory/memory-budget.js';
import { SessionStreams } from '../../../../../lib/server/sessions/streams/session-streams.js';
import { measureHeap } from '../../../../support/heap.js';

const SESSIONS = 100;
const EVENTS = 200;
const MOST = 1_000_000_000;
const memory = {
  maxBytes: MOST,
  maxBytesPerCaller: MOST,
  maxAnonymousBytes: MOST,
  maxBytesPerAddress: MOST,
};

describe('The events that sessions keep', () => {
  const budget = new MemoryBudget({ memory });

  afterAll(() => budget.onApplicationShutdown());

  /** Keeps small events that no reader was given, on a stream each or on one stream. */
  function keep(isOnOwnStream: boolean): readonly SessionStreams[] {
    return Array.from({ length: SESSIONS }, () => {
      const streams = new SessionStreams({ events: 256, characters: 1_000_000 }, 0, budget.hold({}, 0));
      let stream = streams.create();
      for (let index = 0; index < EVENTS; index += 1) {
        if (isOnOwnStream) stream = streams.create();
        streams.restrict(stream, ['desk:read']);
        streams.append(stream, {
          json: JSON.stringify({ method: 'notifications/progress', params: { index } }),
        });
      }
      return streams;
    });
  }

  it.each([true, false])(
    'take less than what is counted for them, each on a stream of its own: %s (FAIR-02)',
    (isOnOwnStream) => {
      keep(isOnOwnStream);
      const [before, counted] = [measureHeap(), budget.used];
      const kept = keep(isOnOwnStream);
      expect(measureHeap() - before).toBeLessThan(budget.used - counted);
      expect(kept).toHaveLength(SESSIONS);
    },
  );
});
