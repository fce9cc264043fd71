import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Sealer } from '../../../../lib/core/sealing/sealer.js';
import { MemoryBudget } from '../../../../lib/server/memory/memory-budget.js';
import { MemoryLimitError } from '../../../../lib/server/memory/memory-limits.js';
import { SessionRegistry } from '../../../../lib/server/sessions/session-registry.js';
import { STANDALONE_STREAM } from '../../../../lib/server/sessions/streams/stream-records.js';
import type { SessionOptions } from '../../../../lib/server/settings/session-options.js';
import { buildContext, openSession } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';
import { StreamReader } from '../../support/stream-reader.js';

const UNUSED_MS = 8000;

describe('A session that did nothing since its handshake', () => {
  let registry: SessionRegistry;

  const create = (sessions: SessionOptions = {}, sealer?: Sealer) =>
    new SessionRegistry(buildSettings({ sessions: { unusedTimeoutMs: UNUSED_MS, ...sessions } }), sealer);

  beforeEach(() => {
    jest.useFakeTimers();
    registry = create();
  });

  afterEach(() => {
    registry.close();
    jest.useRealTimers();
  });

  it('ends after seconds, signs of life or not, while one that was used goes on (FAIR-04)', () => {
    const [unused, used] = [openSession(registry), openSession(registry)];
    registry.use(used);
    jest.advanceTimersByTime(UNUSED_MS * 0.7);
    unused.touch();
    expect(unused.isEnded).toBe(false);
    jest.advanceTimersByTime(UNUSED_MS * 0.6);
    expect([unused.isEnded, used.isEnded]).toEqual([true, false]);
  });

  it('makes room for the memory of others though a stranger reads it, but not while a request runs (FAIR-02)', () => {
    const settings = buildSettings({ memory: { maxBytes: 600_000 } });
    const memory = new MemoryBudget(settings);
    const crowded = new SessionRegistry(settings, undefined, undefined, memory);
    const [reading, running] = [openSession(crowded), openSession(crowded)];
    const reader = new StreamReader(reading.streams.open(STANDALONE_STREAM));
    running.inFlight.add(buildContext('1'));
    const holds: unknown[] = [];
    expect(() => {
      for (;;) holds.push(memory.hold({}, 2000));
    }).toThrow(MemoryLimitError);
    expect([reading.isEnded, reader.isComplete, running.isEnded]).toEqual([true, true, false]);
    crowded.close();
    memory.onApplicationShutdown();
  });

  it('has this time again when its stream is closed, or its request over (FAIR-04)', () => {
    const [reading, asking] = [openSession(registry), openSession(registry)];
    const reader = new StreamReader(reading.streams.open(STANDALONE_STREAM));
    const context = buildContext('ping', { peer: asking });
    asking.inFlight.add(context);
    jest.advanceTimersByTime(UNUSED_MS * 5);
    reader.leave();
    asking.inFlight.remove(context);
    jest.advanceTimersByTime(UNUSED_MS * 0.7);
    expect([reading.isEnded, asking.isEnded]).toEqual([false, false]);
    jest.advanceTimersByTime(UNUSED_MS);
    expect([reading.isEnded, asking.isEnded]).toEqual([true, true]);
  });

  it('may be adopted again, as one may that made room (FAIR-04) (SESS-05)', () => {
    registry.close();
    registry = create({ recover: true, maxSessions: 1 }, new Sealer());
    const unused = openSession(registry);
    jest.advanceTimersByTime(UNUSED_MS * 1.5);
    expect(unused.isEnded).toBe(true);
    expect(registry.findOrRecover(unused.id)).toMatchObject({ id: unused.id, isRecovered: true });

    const other = openSession(registry);
    expect(registry.find(unused.id)).toBeUndefined();
    expect(registry.findOrRecover(unused.id)?.isRecovered).toBe(true);
    expect(other.isEnded).toBe(true);
  });
});
