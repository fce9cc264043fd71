import { afterEach, describe, expect, it } from '@jest/globals';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { McpAudit } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { AuthorizationClient, post } from '../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  SharedStorage,
  type SceneOptions,
} from '../../support/authorization/authorization-server-scene.js';
import { CookieBrowser } from '../../support/authorization/cookie-browser.js';
import { expectError } from './attacks/attack.js';

describe.each(ADAPTERS)('The limits of callers on %s', (adapter) => {
  let scene: AuthorizationServerScene;
  const { fetch } = globalThis;

  const start = async (server: SceneOptions['server'], more: Partial<SceneOptions> = {}) => {
    scene = await AuthorizationServerScene.start({ adapter, ...(server && { server }), ...more });
    return AuthorizationClient.register(scene);
  };
  /** Gives the audit events from now on. */
  const record = () => {
    const events: string[] = [];
    scene.get(McpAudit).events$.subscribe(({ type, outcome, reason }) => {
      events.push(`${type} ${outcome} ${reason}`);
    });
    return events;
  };
  afterEach(async () => {
    globalThis.fetch = fetch;
    await scene.stop();
  });

  it('end a flood of authorization requests with a page, and store nothing more [CWE-400] (AS-03)', async () => {
    const storage = new SharedStorage();
    const client = await start({ storage, maxAuthorizationsPerAddress: 3 });
    const ask = async (changes = {}) => new CookieBrowser().request(client.buildUrl(changes));
    for (let asked = 0; asked < 3; asked += 1) expect((await ask()).status).toBe(303);
    const stored = storage.entries.size;
    for (const url of [client.buildUrl(), client.buildUrl().replace('/authorize', '/AUTHORIZE/')]) {
      const visit = await new CookieBrowser().request(url);
      expect(visit.status).toBe(429);
      expect(Number(visit.headers.get('retry-after'))).toBeGreaterThan(500);
      expect(visit.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(visit.page).toContain('Too many logins have begun');
    }
    expect(storage.entries.size).toBe(stored);
  });

  it('count decisions on the consent page too, since each begins a login [CWE-400] (AS-03)', async () => {
    const storage = new SharedStorage();
    const client = await start({ storage, maxAuthorizationsPerAddress: 3 });
    const page = await client.ask();
    const decide = async () => client.browser.send(page, { decision: 'allow' }, scene.upstream.issuer);
    expect((await decide()).url.href).toContain(scene.upstream.issuer);
    expect((await decide()).url.href).toContain(scene.upstream.issuer);
    const stored = storage.entries.size;
    expect((await decide()).status).toBe(429);
    expect(storage.entries.size).toBe(stored);
  });

  it('end a flood of callbacks with a page, which reads nothing more [CWE-400] (AS-03)', async () => {
    const storage = new SharedStorage();
    const client = await start({ storage, maxAuthorizationsPerAddress: 3 });
    await client.authorize();
    const read: string[] = [];
    storage.get = async (key) => void read.push(key);
    const url = `${scene.issuer}/callback?code=x&state=guessed`;
    const call = async () => {
      const visit = await client.browser.request(url);
      return visit.status;
    };
    expect([await call(), await call(), read.length]).toEqual([400, 400, 2]);
    const events = record();
    const refused = await client.browser.request(url);
    expect([refused.status, refused.page]).toEqual([
      429,
      expect.stringContaining('Too many logins have begun'),
    ]);
    const { status } = await fetch(url, { method: 'OPTIONS' });
    expect([status, read.length, events]).toEqual([429, 2, Array(2).fill('login refused rate_limited')]);
  });

  it('are not needed for a callback without the cookie of a login, which reads nothing (AS-03)', async () => {
    const storage = new SharedStorage();
    await start({ storage });
    const read: string[] = [];
    storage.get = async (key) => void read.push(key);
    const visit = await new CookieBrowser().request(`${scene.issuer}/callback?code=x&state=guessed`);
    expect([visit.status, read]).toEqual([400, []]);
  });

  it('end a flood of guessed codes, refresh tokens and revocations [RFC 6749 §10.10] (AS-03)', async () => {
    const client = await start({ maxTokenRequestsPerAddress: 3 });
    expectError(await client.redeem('guessed'), 'invalid_grant');
    expectError(await client.refresh('guessed'), 'invalid_grant');
    const body = new URLSearchParams({ client_id: client.clientId, token: 'guessed' }).toString();
    expect((await post(`${scene.issuer}/revoke`, body)).status).toBe(200);
    for (const answer of [await client.redeem('guessed'), await post(`${scene.issuer}/revoke`, body)]) {
      expectError(answer, 'temporarily_unavailable', 429);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500);
    }
  });

  it('leave an audit event for each request that they refuse (AS-03) (OPS-03)', async () => {
    const client = await start({
      maxRegistrationsPerAddress: 1,
      maxTokenRequestsPerAddress: 1,
      maxAuthorizationsPerAddress: 1,
    });
    await client.redeem('guessed');
    const page = await client.browser.request(client.buildUrl());
    const events = record();
    await client.register({});
    await client.redeem('guessed');
    await post(`${scene.issuer}/revoke`, 'token=guessed');
    await client.browser.request(client.buildUrl());
    await client.browser.request(new URL(String(page.headers.get('location')), page.url), { form: {} });
    const types = ['registration', 'token_issue', 'token_revocation', 'login_begun', 'login_begun'];
    expect(events).toEqual(types.map((type) => `${type} refused rate_limited`));
  });

  it('leave an audit event if the storage cannot count (AS-03) (OPS-03)', async () => {
    let isDown = false;
    const increment = async () => {
      if (isDown) throw new Error('ECONNREFUSED');
      return { count: 1, expiresInSeconds: 1 };
    };
    const client = await start({ storage: Object.assign(new SharedStorage(), { increment }) });
    const events = record();
    isDown = true;
    expect((await client.redeem('guessed')).status).toBe(500);
    expect(events).toEqual(['token_issue error server_error']);
  });

  it('are apart from a "ThrottlerGuard" of the application, which counts none of these requests (AS-03)', async () => {
    const metadata = {
      imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1 }])],
      providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
    };
    const client = await start(undefined, { metadata });
    const { body } = await client.redeem((await client.authorize()).get('code'));
    expect((await client.call(body['access_token'])).status).toBe(200);
    expect((await client.call(body['access_token'])).status).toBe(429);
    expect((await client.refresh(body['refresh_token'])).status).toBe(200);
  });

  it('apply to all addresses together (AS-03)', async () => {
    const client = await start({ maxRegistrations: 2, maxAuthorizations: 1, maxTokenRequests: 1 });
    expect((await client.register({})).status).toBe(201);
    expect((await client.register({})).status).toBe(429);
    expect((await new CookieBrowser().request(client.buildUrl())).status).toBe(303);
    expect((await new CookieBrowser().request(client.buildUrl())).status).toBe(429);
    expect((await client.redeem('guessed')).status).toBe(400);
    expect((await client.redeem('guessed')).status).toBe(429);
  });

  it('end a flood of client documents, so that this server attacks nobody [CWE-406] (AS-03)', async () => {
    const client = await start({ maxDocumentsPerAddress: 2 });
    const fetched: string[] = [];
    globalThis.fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : new URL(input).href;
      if (url.startsWith(scene.origin)) return fetch(input, init);
      fetched.push(url);
      return Response.json({ client_id: url, redirect_uris: ['https://client.example/cb'] });
    };
    const ask = async (name: string) => {
      client.clientId = `https://1.1.1.1/${name}`;
      return client.browser.request(client.buildUrl({ redirect_uri: 'https://client.example/cb' }));
    };
    expect((await ask('one')).status).toBe(303);
    expect((await ask('two')).status).toBe(303);
    expect((await ask('one')).status).toBe(303);
    const visit = await ask('three');
    expect(visit.status).toBe(429);
    expect(Number(visit.headers.get('retry-after'))).toBeGreaterThan(500);
    const events = record();
    expectError(await client.redeem('code'), 'temporarily_unavailable', 429);
    expect((await ask('three')).status).toBe(429);
    expect(events).toEqual(['token_issue refused rate_limited', 'login_begun refused rate_limited']);
    expect(fetched).toHaveLength(2);
  });

  it('are counted by each of several processes if the storage cannot count (AS-03)', async () => {
    const storage = new SharedStorage();
    const client = await start({ storage, maxAuthorizationsPerAddress: 1 }, { applications: 2 });
    const statuses: number[] = [];
    for (let asked = 0; asked < 4; asked += 1)
      statuses.push((await new CookieBrowser().request(client.buildUrl())).status);
    expect(statuses).toEqual([303, 303, 429, 429]);
  });
});
