import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK } from 'jose';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, RESOURCE } from '../../support/applications/protected-desk.js';
import { IssuerKey } from '../../support/authorization/issuer-key.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

/** What makes a key of an issuer one that signatures are not checked by. */
const SPOILED: readonly (readonly [string, (key: IssuerKey) => Promise<object>])[] = [
  ['is for encryption', async () => ({ use: 'enc' })],
  ['has its private part beside the public one', async ({ privateKey }) => exportJWK(privateKey)],
  ['has a name that is no text', async () => ({ kid: 7 })],
  ['has operations that are no list', async () => ({ key_ops: 'verify' })],
];

describe.each(ADAPTERS)('A key set on %s', (adapter) => {
  const log = new RecordedLog();
  let issuer: TestIssuer;
  let desk: RunningApp;

  beforeEach(async () => {
    log.clear();
    issuer = await TestIssuer.start();
    desk = await bootDesk(adapter, {
      auth: { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt: {} },
      nest: { logger: log },
    });
  });

  afterEach(async () => {
    await desk.close();
    await issuer.stop();
  });

  /** Calls with a token that a key has signed, which names it or does not. */
  async function call(key: IssuerKey, kid: string | undefined = key.kid) {
    const token = await issuer.token({}, { key, header: { kid } });
    return perRequest(desk.url, { headers: authorize(token) }).request('tools/list');
  }

  const createKeys = (count: number) => Promise.all(Array.from({ length: count }, () => IssuerKey.create()));

  it.each(SPOILED)(
    'has no use for a key that %s, beside one that is good (AUTH-04)',
    async (_what, spoil) => {
      const [spoiled, good] = [await IssuerKey.create(), await IssuerKey.create()];
      issuer.keys = [good];
      issuer.otherKeys = [{ ...spoiled.jwk, ...(await spoil(spoiled)) }];
      // A name that its issuer was asked for is not one of a key that may be new.
      expect((await call(spoiled)).status).toBe(401);
      expect((await call(good)).status).toBe(200);
      expect((await call(spoiled)).status).toBe(401);
      expect((await call(spoiled, good.kid)).status).toBe(401);
    },
  );

  it.each(SPOILED)(
    'is none where its only key %s: no token can be checked (AUTH-04, AUTH-12)',
    async (_what, spoil) => {
      const spoiled = await IssuerKey.create();
      issuer.keys = [];
      issuer.otherKeys = [{ ...spoiled.jwk, ...(await spoil(spoiled)) }];
      const { status, headers } = await call(spoiled);
      expect([status, headers['www-authenticate']]).toEqual([503, undefined]);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(log.text).toContain('contains no key for verifying signatures');
    },
  );

  it('may have a key for encryption of the same name as one for signatures (AUTH-04)', async () => {
    const signing = await IssuerKey.create('ES256', 'shared');
    const encrypting = await IssuerKey.create('ES256', 'shared');
    encrypting.jwk.use = 'enc';
    issuer.keys = [encrypting, signing];
    expect((await call(signing)).status).toBe(200);
    expect((await call(encrypting)).status).toBe(401);
  });

  it('is looked through for a token without "kid", the first eight of its keys (AUTH-04, SAFE-01)', async () => {
    issuer.keys = await createKeys(9);
    const [first, ...others] = issuer.keys;
    const [eighth, ninth] = others.slice(-2);
    const statuses = [];
    for (const key of [first!, eighth!, ninth!]) {
      const token = await issuer.token({}, { key, header: { kid: undefined } });
      statuses.push((await perRequest(desk.url, { headers: authorize(token) }).request('tools/list')).status);
    }
    expect(statuses).toEqual([200, 200, 401]);
    expect((await call(ninth!)).status).toBe(200);
  });

  it('counts up to its two hundredth key (AUTH-04, SAFE-01)', async () => {
    const [common, last, beyond] = await createKeys(3);
    issuer.keys = [...Array.from({ length: 199 }, () => common!), last!, beyond!];
    expect((await call(beyond!)).status).toBe(401);
    expect((await call(last!)).status).toBe(200);
    expect((await call(beyond!)).status).toBe(401);
  });
});
