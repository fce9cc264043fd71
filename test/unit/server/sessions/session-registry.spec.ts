import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SubscriptionLimitError } from '../../../../lib/server/sessions/subscription-limit.error.js';
import { SessionLimitError } from '../../../../lib/server/sessions/session-limit.error.js';
import { SessionRegistry } from '../../../../lib/server/sessions/session-registry.js';
import { STANDALONE_STREAM } from '../../../../lib/server/sessions/streams/stream-records.js';
import type { SessionOptions } from '../../../../lib/server/settings/session-options.js';
import { until } from '../../../support/until.js';
import { buildContext, openSession } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';
import { standStill } from '../../support/stand-still.js';
import { StreamReader } from '../../support/stream-reader.js';

const IDLE_MS = 60_000;

const createRegistry = (sessions: SessionOptions = {}) => new SessionRegistry(buildSettings({ sessions }));

describe('SessionRegistry', () => {
  let registry = createRegistry();

  afterEach(() => {
    registry.close();
    registry = createRegistry();
  });

  it('gives sessions ids that nobody guesses and a header can carry (HTTP-03)', () => {
    const ids = Array.from({ length: 1000 }, () => openSession(registry).id);
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{64,1024}$/);
  });

  it('finds a session by its id until it ends (HTTP-03)', () => {
    const session = openSession(registry);
    expect(registry.find(session.id)).toBe(session);
    void registry.end(session, 'over');
    expect([registry.find(session.id), session.isEnded]).toEqual([undefined, true]);
  });

  it.each(['', '__proto__', 'constructor'])('knows no session %j (HTTP-03)', (id) => {
    expect(registry.find(id)).toBeUndefined();
  });

  it('tells of each step in the life of a session once (NOTE-01)', () => {
    const events: string[] = [];
    registry.events$.subscribe(({ type, session }) => events.push(`${type} ${session.isLive}`));
    const session = openSession(registry, { isLive: false });
    registry.confirm(session);
    registry.confirm(session);
    void registry.end(session, 'over');
    void registry.end(session, 'over');
    expect(events).toEqual(['opened false', 'initialized true', 'closed true']);
  });

  it('opens no more sessions than it may, with an error a client understands (HTTP-10)', () => {
    registry = createRegistry({ maxSessions: 2 });
    const [first, second] = [openSession(registry), openSession(registry)];
    for (const session of [first, second])
      session.inFlight.add(buildContext('tools/call', { peer: session }));
    expect(() => openSession(registry)).toThrow(SessionLimitError);
    expect(new SessionLimitError()).toMatchObject({ code: -32023, httpStatus: 429 });
    void registry.end(first, 'over');
    expect(() => openSession(registry)).not.toThrow();
  });

  it('keeps no place for a session whose time is over, whatever goes on in it (HTTP-10) (SESS-05)', () => {
    registry = createRegistry({ maxSessions: 1, lifetimeMs: 1000 });
    const running = openSession(registry);
    running.inFlight.add(buildContext('tools/call', { peer: running }));
    expect(() => openSession(registry)).toThrow(SessionLimitError);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(running.expires);
    expect(() => openSession(registry)).not.toThrow();
    clock.mockRestore();
    expect(running.isEnded).toBe(true);
  });

  describe('subscriptions', () => {
    it('are found by their resource, not by a search through all sessions (NOTE-04)', () => {
      const [one, other] = [openSession(registry), openSession(registry)];
      registry.subscribe(one, 'desk://1');
      registry.subscribe(one, 'desk://1');
      registry.subscribe(other, 'desk://1');
      registry.subscribe(other, 'desk://2');
      expect([...registry.recipients.resources.get('desk://1')]).toEqual([one, other]);
      expect([...registry.recipients.resources.get('desk://2')]).toEqual([other]);
      expect([...registry.recipients.resources.get('desk://3')]).toEqual([]);
    });

    it('end by themselves and with the session (NOTE-04)', () => {
      const [one, other] = [openSession(registry), openSession(registry)];
      for (const session of [one, other]) registry.subscribe(session, 'desk://1');
      registry.unsubscribe(one, 'desk://1');
      registry.unsubscribe(one, 'desk://1');
      expect([...registry.recipients.resources.get('desk://1')]).toEqual([other]);
      void registry.end(other, 'over');
      expect([...registry.recipients.resources.get('desk://1')]).toEqual([]);
    });

    it('are bounded for each session (HTTP-10)', () => {
      registry = createRegistry({ maxSubscriptions: 2 });
      const [one, other] = [openSession(registry), openSession(registry)];
      for (const uri of ['desk://1', 'desk://2', 'desk://1']) registry.subscribe(one, uri);
      expect(() => registry.subscribe(one, 'desk://3')).toThrow(SubscriptionLimitError);
      expect(() => registry.subscribe(other, 'desk://3')).not.toThrow();
      registry.unsubscribe(one, 'desk://1');
      expect(() => registry.subscribe(one, 'desk://3')).not.toThrow();
    });

    it('are bounded in their characters too (HTTP-10)', () => {
      registry = createRegistry({ maxSubscriptionCharacters: 20 });
      const [one, other] = [openSession(registry), openSession(registry)];
      for (const uri of ['desk://123', 'desk://456', 'desk://123']) registry.subscribe(one, uri);
      expect(() => registry.subscribe(one, 'd:')).toThrow(SubscriptionLimitError);
      expect(() => registry.subscribe(other, 'd:')).not.toThrow();
      for (let round = 0; round < 2; round += 1) registry.unsubscribe(one, 'desk://123');
      expect(() => registry.subscribe(one, 'desk://7890')).toThrow(/20 characters/);
      expect(() => registry.subscribe(one, 'desk://789')).not.toThrow();
    });
  });

  it('ends every session when it closes (MOD-12)', () => {
    const sessions = Array.from({ length: 3 }, () => openSession(registry));
    registry.subscribe(sessions[0]!, 'desk://1');
    let isComplete = false;
    registry.events$.subscribe({ complete: () => (isComplete = true) });
    registry.close();
    expect(sessions.map(({ isEnded }) => isEnded)).toEqual([true, true, true]);
    expect([[...registry.all()], [...registry.recipients.resources.get('desk://1')], isComplete]).toEqual([
      [],
      [],
      true,
    ]);
  });
});

describe('The idle time of sessions', () => {
  let registry: SessionRegistry;

  beforeEach(() => {
    jest.useFakeTimers();
    registry = createRegistry({ idleTimeoutMs: IDLE_MS, unusedTimeoutMs: 10 * IDLE_MS });
  });

  afterEach(() => {
    registry.close();
    jest.useRealTimers();
  });

  it('ends a session that has been silent for so long, and no other (HTTP-10)', () => {
    const [silent, active] = [openSession(registry), openSession(registry)];
    jest.advanceTimersByTime(IDLE_MS * 0.9);
    expect(silent.isEnded).toBe(false);
    active.touch();
    jest.advanceTimersByTime(IDLE_MS * 0.4);
    expect([silent.isEnded, active.isEnded]).toEqual([true, false]);
    expect(registry.find(silent.id)).toBeUndefined();
    jest.advanceTimersByTime(IDLE_MS);
    expect(active.isEnded).toBe(true);
  });

  it('does not run while a stream is read, and begins anew after it (HTTP-10)', () => {
    const session = openSession(registry);
    const reader = new StreamReader(session.streams.open(STANDALONE_STREAM));
    jest.advanceTimersByTime(IDLE_MS * 10);
    reader.leave();
    jest.advanceTimersByTime(IDLE_MS * 0.7);
    expect(session.isEnded).toBe(false);
    jest.advanceTimersByTime(IDLE_MS);
    expect(session.isEnded).toBe(true);
  });

  it('does not run while a request does, and begins anew after it (HTTP-10)', () => {
    const session = openSession(registry);
    const context = buildContext('tools/call', { peer: session });
    session.inFlight.add(context);
    jest.advanceTimersByTime(IDLE_MS * 10);
    session.inFlight.remove(context);
    jest.advanceTimersByTime(IDLE_MS * 0.7);
    expect(session.isEnded).toBe(false);
    jest.advanceTimersByTime(IDLE_MS);
    expect(session.isEnded).toBe(true);
  });

  it.each([-86_400_000, IDLE_MS * 3])(
    'is not moved by a clock that is set by %d ms (FAIR-07)',
    (milliseconds) => {
      const session = openSession(registry);
      jest.advanceTimersByTime(IDLE_MS * 0.2);
      jest.setSystemTime(Date.now() + milliseconds);
      jest.advanceTimersByTime(IDLE_MS * 0.7);
      expect(session.isEnded).toBe(false);
      jest.advanceTimersByTime(IDLE_MS * 0.5);
      expect(session.isEnded).toBe(true);
    },
  );

  it('leaves no timer when the registry closes (MOD-12)', () => {
    openSession(registry);
    expect(jest.getTimerCount()).toBe(1);
    registry.close();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('makes room for a new session before one is refused (HTTP-10)', () => {
    registry = createRegistry({ maxSessions: 1 });
    const silent = openSession(registry);
    expect(() => openSession(registry)).not.toThrow();
    expect(silent.isEnded).toBe(true);
  });
});

describe('A session of a process that stood still', () => {
  it('is not taken for silent by what could not be heard, and ends when it is (HTTP-10) (SAFE-04)', async () => {
    const registry = createRegistry({ idleTimeoutMs: 300 });
    const session = openSession(registry);
    const swept = delay(300);
    standStill(600);
    await swept;
    expect(session.isEnded).toBe(false);
    await until(() => session.isEnded, 'the end of the session');
    registry.close();
  });
});
