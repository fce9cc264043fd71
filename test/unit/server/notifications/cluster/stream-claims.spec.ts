import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import {
  formatClaimRecord,
  parseClaimRecord,
  readMember,
  StreamClaims,
} from '../../../../../lib/server/notifications/cluster/stream-claims.js';
import { DistributedBus } from '../../../../../lib/server/cluster/distributed-bus.js';
import type { Session } from '../../../../../lib/server/sessions/session.js';
import { BoundedState } from '../../../../../lib/server/sessions/shared/bounded-state.js';
import { SharedPart } from '../../../../../lib/server/sessions/shared/shared-part.js';
import { until } from '../../../../support/until.js';

const HANDSHAKE = { epoch: 'log', number: 5 };
const at = (number: number) => ({ ...HANDSHAKE, number });

/** The same session as one process has it. */
const openSession = (): Session => {
  const shared = SharedPart.create({ isShared: true, published: undefined }, HANDSHAKE);
  return { key: 'key', expires: Date.now() + 60_000, shared } as unknown as Session;
};

describe('StreamClaims', () => {
  const engine = memoryCluster();
  const buses: DistributedBus[] = [];
  let one: StreamClaims;
  let other: StreamClaims;
  let [session, same] = [openSession(), openSession()];

  async function join(): Promise<StreamClaims> {
    const bus = new DistributedBus(engine, '/mcp', new Keyring(['a secret']));
    buses.push(bus);
    await bus.onModuleInit();
    return new StreamClaims(bus, new BoundedState(bus));
  }

  beforeEach(async () => {
    engine.clear();
    [one, other] = [await join(), await join()];
    [session, same] = [openSession(), openSession()];
  });

  afterEach(async () => {
    engine.heal();
    await Promise.all(buses.splice(0).map((bus) => bus.onApplicationShutdown()));
  });

  it('gives the stream to one reader, in whichever process (RELAY-04)', async () => {
    const claim = await one.claim(session, undefined);
    expect(claim).toMatchObject({ begin: HANDSHAKE });
    expect([await one.claim(session, undefined), await other.claim(same, undefined)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('gives it to whoever says what it has got, and tells whoever had it (RELAY-04)', async () => {
    const claim = await one.claim(session, undefined);
    let isDismissed = false;
    if (claim !== undefined) claim.dismiss = () => (isDismissed = true);
    expect(await other.claim(same, at(9))).toMatchObject({ begin: at(9) });
    await until(() => isDismissed, 'the end of the first');
  });

  it('owes nobody what was published before the handshake (RELAY-03)', async () => {
    expect(await one.claim(session, at(2))).toMatchObject({ begin: HANDSHAKE });
  });

  it('goes on where the reader before ended, if the next does not say what it has got (RELAY-03)', async () => {
    const claim = await one.claim(session, undefined);
    if (claim !== undefined) one.release(claim, at(12));
    const next = await until(() => other.claim(same, undefined), 'the claim');
    expect(next.begin).toEqual(at(12));
  });

  it('gives it again if the process of the reader is gone (RELAY-04) (RELAY-07)', async () => {
    await one.claim(session, undefined);
    await buses[0]?.onApplicationShutdown();
    expect(await other.claim(same, undefined)).toMatchObject({ begin: HANDSHAKE });
  });

  it('gives it at once while nobody can tell who reads it, and keeps it for the latest afterwards (RELAY-07)', async () => {
    const first = await one.claim(session, undefined);
    engine.cut();
    const second = await other.claim(same, undefined);
    engine.heal();
    await until(() => buses.every(({ isConnected }) => isConnected), 'the engine');
    if (first === undefined || second === undefined) throw new Error('Nobody has the stream');
    let isDismissed = false;
    second.dismiss = () => (isDismissed = true);
    await one.renew(first, at(7));
    await other.renew(second, at(8));
    expect(isDismissed).toBe(true);
  });

  it.each([
    ['who left', undefined],
    ['from whom its client comes, who says what it has got', at(7)],
  ])(
    'keeps it for who came meanwhile to another process, not for the one before %s (RELAY-04) (RELAY-07)',
    async (_, after) => {
      const first = await one.claim(session, undefined);
      if (first === undefined) throw new Error('Nobody has the stream');
      const dismissed: string[] = [];
      first.dismiss = () => dismissed.push('first');
      engine.cut();
      if (after === undefined) one.release(first, at(7));
      const next = await other.claim(same, after);
      engine.heal();
      await until(() => buses.every(({ isConnected }) => isConnected), 'the engine');
      if (next === undefined) throw new Error('Nobody has the stream');
      next.dismiss = () => dismissed.push('next');
      await other.renew(next, at(8));
      await until(() => after === undefined || dismissed.length > 0, 'the end of the first');
      expect(dismissed).toEqual(after === undefined ? [] : ['first']);
      expect(await one.claim(openSession(), undefined)).toBeUndefined();
    },
  );

  it('does not keep a reader from it by one of the same process that left unnoticed (RELAY-04) (RELAY-07)', async () => {
    const first = await one.claim(session, undefined);
    engine.cut();
    if (first !== undefined) one.release(first, at(7));
    const next = await one.claim(session, at(7));
    engine.heal();
    await until(() => buses.every(({ isConnected }) => isConnected), 'the engine');
    if (next === undefined) throw new Error('Nobody has the stream');
    let isDismissed = false;
    next.dismiss = () => (isDismissed = true);
    await one.renew(next, at(8));
    expect(isDismissed).toBe(false);
    expect(await other.claim(same, undefined)).toBeUndefined();
  });

  it('writes down again what was lost with the engine (RELAY-07)', async () => {
    const claim = await one.claim(session, undefined);
    engine.clear();
    if (claim !== undefined) await one.renew(claim, at(7));
    expect(await other.claim(same, undefined)).toBeUndefined();
  });
});

describe('The standalone SSE stream in the record of a session', () => {
  it.each([
    [{ reader: 'member.7', read: { epoch: 'log', number: 5 } }, 'member.7@log:5'],
    [{ reader: 'member.7', read: undefined }, 'member.7@'],
    [{ reader: undefined, read: { epoch: 'log', number: 5 } }, '@log:5'],
    [{ reader: undefined, read: undefined }, '@'],
  ])('is parsed as it was formatted: %j', (value, text) => {
    expect(formatClaimRecord(value)).toBe(text);
    expect(parseClaimRecord(text)).toEqual(value);
  });

  it('is absent if the record lacks it', () => {
    expect(parseClaimRecord(undefined)).toEqual({ reader: undefined, read: undefined });
  });

  it('names the process of the reader', () => {
    expect(readMember('member.7')).toBe('member');
  });
});
