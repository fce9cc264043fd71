import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OAuthTokenSourceOptions } from 'nestjs-mcp/client';
import { LoginScene } from '../../support/authorization/login-scene.js';
import { json, status } from '../../support/authorization/party.js';

let scene: LoginScene;

beforeEach(async () => {
  scene = await LoginScene.start();
});
afterEach(() => scene.stop());

/** Logs in, calls as a process would that begins afterwards, and gives what its calls carried. */
async function callAfterLogin(
  options: Partial<OAuthTokenSourceOptions> = {},
  prepare: () => Promise<void> | void = () => undefined,
): Promise<readonly (string | undefined)[]> {
  await scene.createFetch()(scene.server.url);
  await prepare();
  const before = scene.server.tokens.length;
  expect((await scene.createFetch(options)(scene.server.url)).status).toBe(200);
  return scene.server.tokens.slice(before);
}

async function findKept(): Promise<string | undefined> {
  return (await scene.kept())?.tokens?.accessToken;
}

/** Keeps what is kept for another issuer too. */
async function keepTwice(): Promise<void> {
  const key = { serverUrl: scene.server.url, issuer: 'https://elsewhere.example.com' };
  await scene.store.set(key, (await scene.kept())!);
}

describe('A token that is kept', () => {
  it('is on the first call of the next process (CLI-13)', async () => {
    expect(await callAfterLogin()).toEqual([await findKept()]);
    expect(scene.login.grants).toEqual(['authorization_code']);
  });

  it('is on the first call together with its proof (CLI-19)', async () => {
    await scene.createFetch({ dpop: true })(scene.server.url);
    const call = scene.createFetch({ dpop: true });
    const before = scene.server.tokens.length;
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.server.tokens.slice(before)).toEqual([`DPoP ${await findKept()}`]);
  });

  it('is renewed in the one retry of a call where it was revoked (CLI-12) (CLI-14)', async () => {
    const sent = await callAfterLogin({}, () => scene.login.endAccessTokens());
    expect(sent).toEqual([expect.any(String), await findKept()]);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('takes a login in the one retry of a call where its grant is over (CLI-12) (CLI-14)', async () => {
    const sent = await callAfterLogin({}, () => scene.login.endGrants());
    expect(sent).toEqual([expect.any(String), await findKept()]);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token!', 'authorization_code']);
  });

  it('is followed by no more than one other where the server refuses both (CLI-12)', async () => {
    await scene.createFetch()(scene.server.url);
    scene.server.findScopes = async () => undefined;
    const before = scene.server.tokens.length;
    const call = scene.createFetch()(scene.server.url);
    await expect(call).rejects.toMatchObject({ code: 'retry_exhausted', status: 401 });
    expect(scene.server.tokens.slice(before)).toHaveLength(2);
  });

  it('waits for the challenge where it is one of two issuers (CLI-06)', async () => {
    expect(await callAfterLogin({}, keepTwice)).toEqual([undefined, await findKept()]);
  });

  it('is that of the issuer which is configured (CLI-06)', async () => {
    const { issuer } = scene.login;
    expect(await callAfterLogin({ issuer }, keepTwice)).toEqual([await findKept()]);
  });

  it.each<[string, () => Partial<OAuthTokenSourceOptions>]>([
    ['the scopes that are configured', () => ({ scopes: ['desk:write'] })],
    ['a say of whoever selects issuers', () => ({ selectIssuer: ([first]) => first })],
  ])('is not sent at once without %s (CLI-06) (CLI-11)', async (_what, findOptions) => {
    const [first] = await callAfterLogin(findOptions());
    expect(first).toBeUndefined();
  });

  it('is not sent at once by a client with another id, whose issuer is known from then on (CLI-06) (CLI-14)', async () => {
    await scene.createFetch()(scene.server.url);
    const before = scene.server.tokens.length;
    const openBrowser = async () => Promise.reject(new Error('no browser'));
    const present = async () => Promise.reject(new Error('nobody is there'));
    const call = scene.createFetch({ clientId: 'other', openBrowser, present });
    await expect(call(scene.server.url)).rejects.toThrow('nobody is there');
    expect(scene.server.tokens.slice(before)).toEqual([undefined]);
    expect(await scene.kept()).toMatchObject({ registration: { clientId: 'other', origin: 'given' } });
  });

  it('is not sent once its time is up, nor is anything asked of its issuer (CLI-01)', async () => {
    await scene.createFetch()(scene.server.url);
    const source = scene.createSource();
    const { now } = Date;
    try {
      await expect(source.recall()).resolves.toBe(await findKept());
      Date.now = () => now() + 24 * 3_600_000;
      await expect(source.token()).rejects.toMatchObject({ code: 'no_token_yet' });
      await expect(source.recall()).resolves.toBeUndefined();
    } finally {
      Date.now = now;
    }
    expect(scene.login.grants).toEqual(['authorization_code']);
  });

  it('leads to no login elsewhere where it is too little, and nobody has said who gives more (CLI-03) (CLI-12)', async () => {
    const { server, login, visitor } = scene;
    const place = `${server.party.origin}/metadata`;
    server.party.at('/.well-known/oauth-protected-resource/mcp', status(404));
    server.party.at('/metadata', json({ resource: server.url, authorization_servers: [login.issuer] }));
    server.party.at('/mcp*', (response, seen) => {
      const [, token] = seen.headers.authorization?.split(' ') ?? [];
      if (token === undefined) {
        const challenge = `Bearer resource_metadata="${place}", scope="desk:read"`;
        return status(401, { 'www-authenticate': challenge })(response, seen);
      }
      void login.findScopes(token).then((scopes = []) => {
        if (seen.path === '/mcp' || scopes.includes('desk:write')) return json({})(response, seen);
        const challenge = 'Bearer error="insufficient_scope", scope="desk:write"';
        return status(403, { 'www-authenticate': challenge })(response, seen);
      });
    });
    await scene.createFetch()(server.url);
    const before = server.tokens.length;
    expect((await scene.createFetch()(`${server.url}/write`)).status).toBe(200);
    // One retry for each status: without a token the server says who gives it.
    expect(server.tokens.slice(before)).toEqual([expect.any(String), undefined, await findKept()]);
    expect(visitor.opened.map(({ origin }) => origin)).toEqual(Array(2).fill(new URL(login.issuer).origin));
    expect(visitor.opened.at(-1)?.searchParams.get('scope')?.split(' ')).toContain('desk:write');
  });

  it('in a store that fails keeps nobody from a server that wants none (CLI-14)', async () => {
    scene.store.issuers = async () => Promise.reject(new Error('the disk is gone'));
    await expect(scene.createSource().recall()).resolves.toBeUndefined();
  });
});
