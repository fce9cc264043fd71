import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import { MemoryLimitError } from '../../../../../lib/server/memory/memory-limits.js';
import { DistributedBus } from '../../../../../lib/server/cluster/distributed-bus.js';
import type { Delivery } from '../../../../../lib/server/cluster/cluster-bus.js';
import { SessionRegistry } from '../../../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../../../lib/server/sessions/session.js';
import type { SessionChange } from '../../../../../lib/server/sessions/shared/session-change.js';
import { parseSessionRecord } from '../../../../../lib/server/sessions/shared/session-record.js';
import { ReceivedChanges } from '../../../../../lib/server/sessions/shared/received-changes.js';
import { openSession } from '../../../support/requests.js';
import { buildSettings } from '../../../support/settings.js';

const SECRET = 'a secret of the tests';
const [ONE, TWO] = ['desk://1', 'desk://2'];
const LEVEL = 'level';
const [FIELD_ONE, FIELD_TWO] = [`uri ${ONE}`, `uri ${TWO}`];

describe('ToldChanges', () => {
  let bus: DistributedBus;
  let registry: SessionRegistry;
  let changes: ReceivedChanges;
  let session: Session;

  beforeEach(async () => {
    bus = new DistributedBus(memoryCluster(), '/mcp', new Keyring([SECRET]));
    await bus.onModuleInit();
    const settings = buildSettings({
      secret: SECRET,
      sessions: { recover: true, maxSubscriptions: 2, maxSubscriptionCharacters: 10_000_000 },
      memory: { maxBytes: 600_000 },
    });
    registry = new SessionRegistry(settings, undefined, undefined, undefined, bus);
    changes = new ReceivedChanges(registry, bus);
    session = openSession(registry);
  });

  afterEach(async () => {
    registry.close();
    await bus.onApplicationShutdown();
  });

  const at = (number: number): Delivery => ({
    position: { epoch: 'log', number },
    name: { member: 'other', count: number },
  });
  const make = (change: Omit<SessionChange, 'key'>, delivery: Delivery = at(1)) =>
    changes.apply({ key: session.key, ...change }, delivery);
  const adopt = (record: Record<string, string>) => changes.applyRecord(session, parseSessionRecord(record));
  const uris = () => [...session.subscriptions];

  /** Has the session end its streams as an earlier holder's. */
  function countTakeOvers(): () => number {
    let count = 0;
    const { streams } = session;
    const takeOver = streams.takeOver.bind(streams);
    streams.takeOver = () => {
      count += 1;
      takeOver();
    };
    return () => count;
  }

  it('makes a session what others say, and nothing of one that is not here (RELAY-03)', () => {
    expect(make({ subscribed: [ONE, TWO], level: 'error', lists: '1 a', owner: 'ada' })).toBe('made');
    expect([uris(), session.logLevel]).toEqual([[ONE, TWO], 'error']);
    expect([session.shared?.lists, session.shared?.owner]).toEqual(['1 a', 'ada']);
    expect(make({ unsubscribed: [ONE] }, at(2))).toBe('made');
    expect(uris()).toEqual([TWO]);
    expect(changes.apply({ key: 'another', subscribed: [ONE] }, at(3))).toBe('made');
  });

  it('ends a session for good that has ended elsewhere, known or not (RELAY-06)', () => {
    const { id, key, expires } = session;
    expect(make({ ended: expires })).toBe('made');
    expect([session.isEnded, registry.find(id), registry.readTicket(id)]).toEqual([
      true,
      undefined,
      undefined,
    ]);
    changes.apply({ key: 'another', ended: expires }, at(2));
    expect(registry.ended.list()).toEqual([
      [key, expires],
      ['another', expires],
    ]);
  });

  it('knows since when a resource is subscribed to: by what is told, by the place of it, or by the log (RELAY-03)', () => {
    make({ subscribed: [ONE, TWO], since: { [ONE]: 'log:3', [TWO]: 'no place' } }, at(5));
    expect(uris().map((uri) => session.findSubscribed(uri)?.number)).toEqual([3, 5]);
    make({ unsubscribed: [ONE] }, at(6));
    make({ subscribed: [ONE] }, {});
    expect(session.findSubscribed(ONE)).toEqual(bus.position);
  });

  it('makes nothing that is older than what it knows, setting by setting (RELAY-15)', () => {
    make({ level: 'error', subscribed: [ONE], versions: { [LEVEL]: 5, [FIELD_ONE]: 5 } });
    expect(make({ level: 'debug', unsubscribed: [ONE], versions: { [LEVEL]: 4, [FIELD_ONE]: 4 } })).toBe(
      'older',
    );
    expect([session.logLevel, uris()]).toEqual(['error', [ONE]]);
    const mixed = { [FIELD_ONE]: 6, [FIELD_TWO]: 4, [LEVEL]: 4 };
    expect(make({ level: 'debug', unsubscribed: [ONE], subscribed: [TWO], versions: mixed })).toBe('older');
    expect([session.logLevel, uris()]).toEqual(['error', [TWO]]);
    expect(make({ subscribed: [ONE], versions: { [FIELD_ONE]: 5 } })).toBe('older');
    expect(uris()).toEqual([TWO]);
    expect(make({ level: 'debug', versions: { [LEVEL]: 6 } })).toBe('made');
    expect(session.logLevel).toBe('debug');
  });

  it('makes what has no version, which may be the newest: a former release tells none (RELAY-08)', () => {
    make({ level: 'error', subscribed: [ONE], versions: { [LEVEL]: 5, [FIELD_ONE]: 5 } });
    expect(make({ level: 'debug', unsubscribed: [ONE] })).toBe('made');
    expect([session.logLevel, uris()]).toEqual(['debug', []]);
  });

  it('repeats nothing that is still on its way to the others (RELAY-15)', () => {
    make({ level: 'error', versions: { [LEVEL]: 5 } }, {});
    expect(make({ level: 'debug', versions: { [LEVEL]: 4 } })).toBe('made');
    expect(session.logLevel).toBe('error');
    make({ level: 'error', versions: { [LEVEL]: 5 } });
    expect(make({ level: 'debug', versions: { [LEVEL]: 4 } })).toBe('older');
  });

  it('says so if there is no room for all of it (FAIR-03)', () => {
    expect(make({ subscribed: [ONE, TWO, 'desk://3'] })).toBe('too much');
    expect(uris()).toEqual([ONE, TWO]);
    expect(make({ unsubscribed: [ONE], subscribed: ['desk://3'] })).toBe('made');
  });

  it('gives up a session that has no memory for what it has to know (FAIR-03)', () => {
    const long = `desk://${'x'.repeat(700_000)}`;
    expect(make({ subscribed: [long] })).toBe('made');
    expect(registry.find(session.id)).toBeUndefined();
    session = openSession(registry);
    expect(() => adopt({ [`uri ${long}`]: 'log:1' })).toThrow(MemoryLimitError);
    expect(registry.find(session.id)).toBeUndefined();
  });

  it('remembers which subscriptions have ended, until they begin again (RELAY-07)', () => {
    make({ subscribed: [ONE], versions: { [FIELD_ONE]: 1 } });
    make({ unsubscribed: [ONE], versions: { [FIELD_ONE]: 2 } });
    expect(session.shared?.versions.ended).toEqual([FIELD_ONE]);
    make({ subscribed: [ONE], versions: { [FIELD_ONE]: 3 } });
    expect(session.shared?.versions.ended).toEqual([]);
  });

  it('disconnects an earlier holder once, when a session gets its owner (RELAY-01)', () => {
    const count = countTakeOvers();
    make({ level: 'error' });
    expect(count()).toBe(0);
    make({ owner: 'ada' });
    make({ owner: 'ada' });
    adopt({ owner: 'ada' });
    expect(count()).toBe(1);
    const bound = openSession(registry);
    registry.bind(bound, 'ada');
    session = bound;
    const later = countTakeOvers();
    make({ owner: 'ada' });
    expect([later(), bound.shared?.owner]).toEqual([0, 'ada']);
  });

  it('makes a session what its record says: the level, the reader, the owner and subscriptions by their age (RELAY-03)', () => {
    const record = {
      level: 'error',
      owner: 'ada',
      standing: 'one.1@log:1',
      [FIELD_TWO]: 'log:2',
      [FIELD_ONE]: 'log:7',
    };
    expect(adopt(record)).toBe(true);
    expect([uris(), session.logLevel, session.shared?.standing]).toEqual([
      [TWO, ONE],
      'error',
      'one.1@log:1',
    ]);
    expect(session.findSubscribed(ONE)).toEqual({ epoch: 'log', number: 7 });
    expect(adopt({})).toBe(true);
    expect([uris(), session.logLevel, session.shared?.standing]).toEqual([[], 'error', undefined]);
  });

  it('keeps what is newer than its record, and says if the record has to be put right (RELAY-15)', () => {
    make({ level: 'error', subscribed: [ONE], versions: { [LEVEL]: 5, [FIELD_ONE]: 5 } });
    expect(adopt({ level: 'debug', 'version level': '4' })).toBe(false);
    expect([session.logLevel, uris()]).toEqual(['error', [ONE]]);
    expect(
      adopt({ level: 'debug', 'version level': '6', [FIELD_ONE]: 'log:1', [`version ${FIELD_ONE}`]: '4' }),
    ).toBe(false);
    expect([session.logLevel, uris()]).toEqual(['debug', [ONE]]);
    expect(adopt({ level: 'info', 'version level': '7', unsubscribed: '4' })).toBe(false);
    expect(uris()).toEqual([ONE]);
    expect(adopt({ level: 'info', 'version level': '7', unsubscribed: '5' })).toBe(true);
    expect([session.logLevel, uris()]).toEqual(['info', []]);
  });

  it('leaves to the log what its record cannot have yet (RELAY-07)', () => {
    make({ level: 'error', subscribed: [ONE], versions: { [LEVEL]: 5, [FIELD_ONE]: 5 } }, {});
    expect(adopt({ level: 'debug', 'version level': '4' })).toBe(true);
    expect([session.logLevel, uris()]).toEqual(['error', [ONE]]);
  });

  it('takes of a record that has too many subscriptions the oldest (FAIR-03)', () => {
    const record = { [FIELD_ONE]: 'log:3', [FIELD_TWO]: 'log:1', 'uri desk://3': 'log:2' };
    expect(adopt(record)).toBe(true);
    expect(uris()).toEqual([TWO, 'desk://3']);
  });
});
