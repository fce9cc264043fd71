import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { memoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../../../lib/server/cluster/distributed-bus.js';
import type { Session } from '../../../../../../lib/server/sessions/session.js';
import { parseCallEventId } from '../../../../../../lib/server/sessions/streams/call-event-id.js';
import { CallRequests } from '../../../../../../lib/server/transport/http/cluster/call-records.js';

const MINUTE_MS = 60_000;

describe('CallRequests', () => {
  let bus: DistributedBus;
  let calls: CallRequests;
  let session: { -readonly [Member in 'key' | 'isEnded' | 'address']: Session[Member] };

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    bus = new DistributedBus(memoryCluster(), '/mcp', new Keyring(['a secret']));
    await bus.onModuleInit();
    calls = new CallRequests(bus);
    session = { key: 'key', isEnded: false, address: '127.0.0.1' };
  });

  afterEach(async () => {
    await bus.onApplicationShutdown();
    jest.useRealTimers();
  });

  const note = (stream = `${bus.member}.1.`) => calls.note(session as Session, stream, ['a long id', 2]);
  const find = () => calls.find(session as Session, parseCallEventId(`${bus.member}.1.:0`)!);

  it('knows what a call answers as long as that runs (RELAY-05)', async () => {
    const end = note();
    await jest.advanceTimersByTimeAsync(90 * MINUTE_MS);
    expect(await find()).toEqual(['a long id', 2]);
    end?.();
    await jest.advanceTimersByTimeAsync(4 * MINUTE_MS);
    expect(await find()).toEqual(['a long id', 2]);
  });

  it('knows it no longer than clients are told of a call that was lost (FAIR-03)', async () => {
    note()?.();
    await jest.advanceTimersByTimeAsync(6 * MINUTE_MS);
    expect(await find()).toEqual([]);
  });

  it('knows it no longer for a session that has ended (FAIR-03)', async () => {
    note();
    session.isEnded = true;
    await jest.advanceTimersByTimeAsync(6 * MINUTE_MS);
    expect(await find()).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('notes nothing of a call whose name tells it (RELAY-02)', async () => {
    expect(note(`${bus.member}.1.MQ`)).toBeUndefined();
    expect(await find()).toEqual([]);
  });
});
