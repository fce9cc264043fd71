import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { upstreams, type StorageCount } from 'nestjs-mcp/authorization-server';
import { RequestLimits, type LimitedRequest } from '../../../lib/authorization-server/request-limits.js';
import { buildAuthorizationServerSettings } from '../../../lib/authorization-server/settings/authorization-server-options.js';
import { SealedRecords } from '../../../lib/authorization-server/storage/sealed-records.js';
import { Keyring } from '../../../lib/core/sealing/keyring.js';
import { SharedStorage } from '../../support/authorization/authorization-server-scene.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

const SECRET = 'a secret of the desk, with more than 32 characters';
const ISSUER = 'https://desk.example.com/oauth';

/** Counts in place of Redis, and shows what it was asked for. */
class CountingStorage extends SharedStorage {
  readonly #counts = new Map<string, number>();
  readonly asked: number[] = [];

  async increment(key: string, expiresInSeconds: number): Promise<StorageCount> {
    this.asked.push(expiresInSeconds);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return { count, expiresInSeconds: expiresInSeconds - 0.5 };
  }
}

const SETTINGS = buildAuthorizationServerSettings({
  issuer: ISSUER,
  resources: { 'https://desk.example.com/mcp': { 'desk:read': 'Read the tickets' } },
  upstream: upstreams.google({ clientId: 'desk', clientSecret: SECRET }),
  grantScopes: () => ['desk:read'],
  secret: SECRET,
  maxAuthorizationsPerAddress: 2,
  maxAuthorizations: 5,
  maxTokenRequestsPerAddress: 3,
  maxTokenRequests: 6,
  maxRegistrationsPerAddress: 4,
  maxRegistrations: 7,
  maxDocumentsPerAddress: 1,
  maxDocuments: 8,
});

const from = (ip: unknown, remoteAddress?: string) =>
  ({ ip, socket: { remoteAddress } }) as unknown as IncomingMessage;

describe('RequestLimits', () => {
  let storage: CountingStorage;
  let limits: RequestLimits;
  let log: RecordedLog;

  beforeEach(() => {
    log = new RecordedLog();
    Logger.overrideLogger(log);
    storage = new CountingStorage();
    const keyring = new Keyring([SECRET], { prefix: 'authorization-server', path: ISSUER });
    limits = new RequestLimits(SETTINGS, new SealedRecords(storage, keyring));
  });
  afterEach(() => Logger.overrideLogger(false));

  /** Counts requests until one is refused, and returns how many were not. */
  async function exhaust(kind: LimitedRequest, find: (index: number) => IncomingMessage): Promise<number> {
    for (let accepted = 0; accepted < 20; accepted += 1)
      if ((await limits.count(kind, find(accepted))) > 0) return accepted;
    return Number.POSITIVE_INFINITY;
  }

  it.each<[LimitedRequest, perAddress: number, inAll: number, seconds: number]>([
    ['authorization', 2, 5, 600],
    ['token', 3, 6, 600],
    ['registration', 4, 7, 3600],
    ['document', 1, 8, 600],
  ])('accepts as many requests as configured: %s (AS-03)', async (kind, perAddress, inAll, seconds) => {
    await expect(exhaust(kind, () => from('203.0.113.7'))).resolves.toBe(perAddress);
    expect(new Set(storage.asked)).toEqual(new Set([seconds]));
    const others = await exhaust(kind, (index) => from(`198.51.100.${index}`));
    expect(perAddress + others).toBe(inAll);
  });

  it('returns the seconds until the count begins anew, rounded up (AS-03)', async () => {
    for (let asked = 0; asked < 2; asked += 1)
      await expect(limits.count('authorization', from('203.0.113.7'))).resolves.toBe(0);
    await expect(limits.count('authorization', from('203.0.113.7'))).resolves.toBe(600);
    await expect(limits.count('authorization', from('203.0.113.7'))).resolves.toBe(600);
    await expect(limits.count('authorization', from('203.0.113.8'))).resolves.toBe(0);
  });

  it('asks the storage no more for an address that it refuses (AS-03)', async () => {
    await exhaust('authorization', () => from('203.0.113.7'));
    const asked = storage.asked.length;
    await exhaust('authorization', () => from('203.0.113.7'));
    expect(storage.asked).toHaveLength(asked);
    await limits.count('token', from('203.0.113.7'));
    expect(storage.asked).toHaveLength(asked + 2);
  });

  it('counts no request of a refused address for the others (AS-03)', async () => {
    for (let asked = 0; asked < 9; asked += 1) await limits.count('authorization', from('203.0.113.7'));
    await expect(limits.count('authorization', from('203.0.113.8'))).resolves.toBe(0);
  });

  it.each<[string, IncomingMessage, IncomingMessage]>([
    ['the first 64 bits of IPv6', from('2001:db8:1:2::1'), from('2001:db8:1:2:ffff::9')],
    ['the address that the adapter trusts', from('203.0.113.7', '10.0.0.1'), from('203.0.113.7', '10.0.0.2')],
    ['the connection without such an address', from(undefined, '10.0.0.1'), from(7, '10.0.0.1')],
    ['no address at all', from(undefined), from(undefined)],
  ])('takes callers for one by %s (AS-03)', async (_by, one, other) => {
    await exhaust('authorization', () => one);
    expect(await limits.count('authorization', other)).toBeGreaterThan(0);
    await expect(limits.count('authorization', from('2001:db8:1:3::1'))).resolves.toBe(0);
  });

  it('logs each limit once a minute, with its number and its time (AS-03)', async () => {
    for (let asked = 0; asked < 4; asked += 1) await limits.count('document', from('203.0.113.7'));
    await exhaust('registration', (index) => from(`198.51.100.${index}`));
    await exhaust('document', () => from('203.0.113.9'));
    expect(log.find('warn')).toEqual([
      expect.stringMatching(/^More than 1 client metadata documents from one address within 10 minutes/),
      expect.stringMatching(/^More than 7 registrations from all addresses within 60 minutes/),
    ]);
  });
});
