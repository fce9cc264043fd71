import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OAuthTokenSource } from 'nestjs-mcp/client';
import { LoginScene } from '../../support/authorization/login-scene.js';
import type { LoginServerOptions } from '../../support/authorization/login-server.js';
import { json, Party } from '../../support/authorization/party.js';

let scene: LoginScene;
let parties: Party[] = [];

afterEach(async () => {
  await Promise.all([scene.stop(), ...parties.map((party) => party.stop())]);
  parties = [];
});

const GIVEN = {
  client_id: 'desk client:1',
  client_secret: 'a secret/of the client+with 100%',
  redirect_uris: ['http://127.0.0.1/callback'],
  application_type: 'native' as const,
  grant_types: ['authorization_code', 'refresh_token'],
};

/** Starts where a client is known beforehand. */
async function startGiven(
  method: 'client_secret_basic' | 'client_secret_post' | 'none',
  options: Partial<LoginServerOptions> = {},
): Promise<void> {
  const { client_secret: secret, ...rest } = GIVEN;
  const client = { ...rest, ...(method !== 'none' && { client_secret: secret }) };
  scene = await LoginScene.start({
    clients: [{ ...client, token_endpoint_auth_method: method }],
    methods: [method],
    registers: false,
    ...options,
  });
}

/** Serves the document of a client, and gives its URL. */
async function publishDocument(): Promise<string> {
  const party = await Party.start('https');
  parties.push(party);
  const url = `${party.origin}/client.json`;
  const document = {
    client_id: url,
    client_name: 'Documented',
    redirect_uris: ['http://127.0.0.1/callback'],
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  party.at('/client.json', json(document));
  return url;
}

describe('A client id (MCP 2026-07-28 basic/authorization)', () => {
  it.each(['client_secret_basic', 'client_secret_post', 'none'] as const)(
    'is the given one, shown as the authorization server has it: %s (CLI-06)',
    async (method) => {
      await startGiven(method);
      const clientSecret = method === 'none' ? undefined : GIVEN.client_secret;
      const call = scene.createFetch({ clientId: GIVEN.client_id, clientSecret });
      expect((await call(scene.server.url)).status).toBe(200);
      const [{ parameters, authorization = '' } = { parameters: {} }] = scene.login.at('token');
      expect(authorization.startsWith('Basic ')).toBe(method === 'client_secret_basic');
      expect('client_secret' in parameters).toBe(method === 'client_secret_post');
    },
  );

  it('leaves its secret to whoever gave it: the store does not have it (CLI-06) (CLI-14)', async () => {
    await startGiven('client_secret_basic');
    const { client_id: clientId, client_secret: clientSecret } = GIVEN;
    await scene.createFetch({ clientId, clientSecret })(scene.server.url);
    expect((await scene.kept())?.registration).toEqual({ clientId, origin: 'given' });
  });

  it('is the URL of a document, where the authorization server reads such (CLI-06)', async () => {
    scene = await LoginScene.start();
    const clientMetadataUrl = await publishDocument();
    expect((await scene.createFetch({ clientMetadataUrl })(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened[0]?.searchParams.get('client_id')).toBe(clientMetadataUrl);
    expect(scene.login.at('registration')).toEqual([]);
  });

  it('is got by registering, where the authorization server reads no documents (CLI-06)', async () => {
    scene = await LoginScene.start({ readsDocuments: false });
    const clientMetadataUrl = 'https://app.example.com/client.json';
    await scene.createFetch({ clientMetadataUrl, clientName: 'Desk of Ada' })(scene.server.url);
    const [{ parameters } = { parameters: {} }] = scene.login.at('registration');
    expect(parameters).toEqual({
      client_name: 'Desk of Ada',
      redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback\/[\w-]{22}$/)],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'comes with a secret, where the authorization server wants one: %s (CLI-06)',
    async (method) => {
      scene = await LoginScene.start({ methods: [method] });
      expect((await scene.createFetch()(scene.server.url)).status).toBe(200);
      expect((await scene.kept())?.registration).toMatchObject({
        origin: 'dynamic',
        clientSecret: expect.any(String),
        metadata: { token_endpoint_auth_method: method },
      });
    },
  );

  it('is asked for where there is no other way, and kept (CLI-06)', async () => {
    await startGiven('client_secret_basic');
    const { client_id: clientId, client_secret: clientSecret } = GIVEN;
    const asked: string[] = [];
    const askForClientId = async (issuer: string) => {
      asked.push(issuer);
      return { clientId, clientSecret };
    };
    const call = scene.createFetch({ askForClientId });
    expect((await call(scene.server.url)).status).toBe(200);
    scene.login.endGrants();
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(2);
    expect(asked).toEqual([scene.login.issuer]);
  });

  it.each([
    [{ enableDcr: false }, '"enableDcr" is off'],
    [{}, 'clients cannot register themselves there'],
    [{ askForClientId: async () => undefined }, 'clients cannot register themselves there'],
  ])('is missing where there is none, which opens no browser: %j (CLI-06)', async (options, fault) => {
    await startGiven('none');
    await expect(scene.createFetch(options)(scene.server.url)).rejects.toMatchObject({
      code: 'registration_unavailable',
      issuer: scene.login.issuer,
      problem: expect.stringContaining(fault),
    });
    expect(scene.visitor.opened).toEqual([]);
  });

  it('is not registered where the authorization server does not want it, and why is told (CLI-06)', async () => {
    scene = await LoginScene.start();
    const redirectUri = 'http://127.0.0.1:1/callback#fragment';
    const authorizer = { redirectUri, authorize: (url: URL) => Promise.resolve(url) };
    await expect(scene.createFetch({ authorizer })(scene.server.url)).rejects.toMatchObject({
      code: 'registration_unavailable',
      problem: expect.stringMatching(
        /^its registration endpoint responded with status 400 and "invalid_redirect_uri"/,
      ),
    });
  });

  it.each([
    'http://app.example.com/client.json',
    'https://app.example.com',
    'https://app.example.com/a/../b',
  ])('is never the URL %s (CLI-06)', async (clientMetadataUrl) => {
    scene = await LoginScene.start();
    const create = () => new OAuthTokenSource({ serverUrl: scene.server.url, clientMetadataUrl });
    expect(create).toThrow(/^The "clientMetadataUrl" must be an "https:" URL with a path/);
  });
});

describe('A client that registered itself', () => {
  it('stays who it is, and comes back to the same port where that is free (CLI-06)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    await scene.createFetch()(`${scene.server.url}/write`);
    const [first, second] = scene.visitor.opened.map(({ searchParams }) => searchParams);
    expect(scene.login.at('registration')).toHaveLength(1);
    for (const name of ['client_id', 'redirect_uri']) expect(second?.get(name)).toBe(first?.get(name));
  });

  it('registers again where its port is taken (CLI-06)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    const key = { serverUrl: scene.server.url, issuer: scene.login.issuer };
    const taken = `http://127.0.0.1:${scene.server.party.port}/callback`;
    const { registration } = (await scene.kept())!;
    const metadata = { ...registration?.metadata, redirect_uris: [taken] };
    await scene.store.set(key, { registration: { ...registration!, metadata } });
    expect((await scene.createFetch()(scene.server.url)).status).toBe(200);
    expect(scene.login.at('registration')).toHaveLength(2);
  });

  it('leaves the login that there was until its user has logged in to another registration (CLI-06) (CLI-11)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    const key = { serverUrl: scene.server.url, issuer: scene.login.issuer };
    const { registration, ...others } = (await scene.kept())!;
    const taken = `http://127.0.0.1:${scene.server.party.port}/callback`;
    const metadata = { ...registration?.metadata, redirect_uris: [taken] };
    const before = { ...others, registration: { ...registration!, metadata } };
    await scene.store.set(key, before);
    scene.login.decision = 'deny';
    const write = `${scene.server.url}/write`;
    await expect(scene.createFetch()(write)).rejects.toMatchObject({ code: 'login_refused' });
    expect(await scene.kept()).toEqual(before);
    scene.login.decision = 'allow';
    expect((await scene.createFetch()(write)).status).toBe(200);
    expect((await scene.kept())?.registration?.clientId).not.toBe(registration?.clientId);
  });

  it('registers once where its port is taken, however often its user says no (CLI-06)', async () => {
    scene = await LoginScene.start();
    const call = scene.createFetch();
    await call(scene.server.url);
    const registered = scene.visitor.opened[0]?.searchParams.get('redirect_uri');
    const other = createServer().listen(Number(new URL(registered!).port), '127.0.0.1');
    await once(other, 'listening');
    try {
      const write = `${scene.server.url}/write`;
      scene.login.decision = 'deny';
      const refused = { code: 'login_refused' };
      for (let times = 0; times < 3; times += 1) await expect(call(write)).rejects.toMatchObject(refused);
      expect(scene.login.at('registration')).toHaveLength(2);
      scene.login.decision = 'allow';
      expect((await call(write)).status).toBe(200);
      expect(scene.login.at('registration')).toHaveLength(2);
      const ids = scene.visitor.opened.map(({ searchParams }) => searchParams.get('client_id'));
      expect(new Set(ids.slice(1))).toEqual(new Set([(await scene.kept())?.registration?.clientId]));
    } finally {
      other.close();
    }
  });

  it('registers again where what it registered for another port is not known any more (CLI-06)', async () => {
    scene = await LoginScene.start();
    const call = scene.createFetch({ loginTimeoutMs: 2_000 });
    await call(scene.server.url);
    const key = { serverUrl: scene.server.url, issuer: scene.login.issuer };
    const { registration, ...others } = (await scene.kept())!;
    const taken = `http://127.0.0.1:${scene.server.party.port}/callback`;
    const metadata = { ...registration?.metadata, redirect_uris: [taken] };
    await scene.store.set(key, { ...others, registration: { ...registration!, metadata } });
    const write = `${scene.server.url}/write`;
    scene.login.decision = 'deny';
    await expect(call(write)).rejects.toMatchObject({ code: 'login_refused' });
    scene.login.decision = 'allow';
    scene.login.forgetClients();
    await expect(call(write)).rejects.toMatchObject({ code: 'login_timed_out' });
    expect(scene.login.at('registration')).toHaveLength(2);
    expect((await call(write)).status).toBe(200);
    expect(scene.login.at('registration')).toHaveLength(3);
  });

  it('registers again when its secret has ended (CLI-06)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    const key = { serverUrl: scene.server.url, issuer: scene.login.issuer };
    const { registration } = (await scene.kept())!;
    const metadata = { ...registration?.metadata, client_secret_expires_at: 1 };
    await scene.store.set(key, { registration: { ...registration!, metadata } });
    expect((await scene.createFetch()(scene.server.url)).status).toBe(200);
    expect(scene.login.at('registration')).toHaveLength(2);
  });

  it('registers again, once, when it is not known any more at a refresh (CLI-06)', async () => {
    scene = await LoginScene.start();
    const call = scene.createFetch();
    await call(scene.server.url);
    scene.login.forgetClients();
    scene.login.endAccessTokens();
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token!', 'authorization_code']);
    expect(scene.login.at('registration')).toHaveLength(2);
  });

  it('registers again after a login that did not end: it may not be known any more (CLI-06)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    scene.login.forgetClients();
    scene.login.endGrants();
    const key = { serverUrl: scene.server.url, issuer: scene.login.issuer };
    const { registration } = (await scene.kept())!;
    await scene.store.set(key, { registration: registration! });
    const late = scene.createFetch({ loginTimeoutMs: 300 })(scene.server.url);
    await expect(late).rejects.toMatchObject({ code: 'login_timed_out' });
    expect((await scene.createFetch()(scene.server.url)).status).toBe(200);
  });
});
