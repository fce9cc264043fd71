import { afterEach, describe, expect, it } from '@jest/globals';
import { LoginTimedOutError } from 'nestjs-mcp/client';
import { LoginScene } from '../../support/authorization/login-scene.js';
import { until } from '../../support/until.js';

let scene: LoginScene;

afterEach(() => scene.stop());

/** Ends the time of the access token that is kept, as a day would. */
async function age(): Promise<void> {
  const key = { serverUrl: scene.server.url, issuer: scene.login.issuer };
  const kept = (await scene.kept())!;
  await scene.store.set(key, { ...kept, tokens: { ...kept.tokens!, expiresAtMs: Date.now() - 1 } });
}

/** Has a login for more time out, and something happen while the user is waited for. */
async function goAway(meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
  const { registration } = (await scene.kept())!;
  const [redirectUri = ''] = registration!.metadata!['redirect_uris'] as string[];
  const authorize = async () => {
    await meanwhile();
    throw new LoginTimedOutError(1);
  };
  const source = scene.createSource({ authorizer: { redirectUri, authorize } });
  await expect(source.tokenForScopes(['desk:write'])).rejects.toMatchObject({ code: 'login_timed_out' });
}

describe('Tokens that are kept (RFC 6749 §6)', () => {
  it('serve the next process, which logs in nowhere (CLI-14)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    expect((await scene.createFetch()(scene.server.url)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code']);
    expect(new Set(scene.server.tokens).size).toBe(2);
  });

  it('are not given before the server asks for one (CLI-01)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    await expect(scene.createSource().token()).rejects.toMatchObject({ code: 'no_token_yet' });
  });

  it('are renewed when their time is up, for the same resource, by refresh tokens that change (CLI-08) (CLI-14)', async () => {
    scene = await LoginScene.start({ accessTokenSeconds: 4 });
    const call = scene.createFetch();
    const used: unknown[] = [];
    await call(scene.server.url);
    for (let round = 1; round <= 3; round += 1) {
      used.push((await scene.kept())?.tokens?.refreshToken);
      // The source trusts a token for two seconds: what is left is for the way.
      const next = async () => (await call(scene.server.url)).ok && scene.login.grants.length > round;
      await until(next, 'a refresh');
    }
    expect(scene.login.grants).toEqual(['authorization_code', ...Array(3).fill('refresh_token')]);
    const refreshes = scene.login.at('token').slice(1);
    expect(refreshes.map(({ parameters }) => parameters['refresh_token'])).toEqual(used);
    expect(refreshes.map(({ parameters }) => parameters['resource'])).toEqual(
      Array(3).fill(scene.server.url),
    );
    expect(new Set(used).size).toBe(3);
    expect(scene.visitor.opened).toHaveLength(1);
  });

  it('serve more than one call where they last for seconds (CLI-14)', async () => {
    scene = await LoginScene.start({ accessTokenSeconds: 10 });
    const call = scene.createFetch();
    await call(scene.server.url);
    expect((await call(scene.server.url)).status).toBe(200);
    expect((await scene.createFetch()(scene.server.url)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code']);
  });

  it('are renewed once for all who ask at the same time (CLI-14)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    await age();
    const clients = Array.from({ length: 4 }, () => scene.createFetch());
    const answers = await Promise.all(clients.map((call) => call(scene.server.url)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('are renewed while somebody else logs in for more (CLI-14)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    const over = new AbortController();
    const seen: string[] = [];
    const openBrowser = async (address: string) => void seen.push(address);
    const more = scene.createFetch({ openBrowser, signal: over.signal })(`${scene.server.url}/write`);
    await until(() => seen.length > 0, 'a login');
    await age();
    expect((await scene.createFetch()(scene.server.url)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token']);
    over.abort();
    await expect(more).rejects.toThrow('aborted');
  });

  it('which cannot be renewed end, and take a login when the server asks for one (CLI-01) (CLI-14)', async () => {
    const client = {
      client_id: 'desk',
      redirect_uris: ['http://127.0.0.1/callback'],
      application_type: 'native' as const,
      token_endpoint_auth_method: 'none' as const,
      grant_types: ['authorization_code'],
    };
    scene = await LoginScene.start({ clients: [client], accessTokenSeconds: 1 });
    const source = scene.createSource({ clientId: 'desk' });
    await source.tokenForScopes(['desk:read']);
    const end = () => source.token().then(() => undefined, Object);
    expect(await until(end, 'the end of the token')).toMatchObject({ code: 'no_token_yet' });
    await source.tokenForScopes(['desk:read']);
    expect(scene.login.grants).toEqual(['authorization_code', 'authorization_code']);
  });

  it('are renewed when the server refuses them before their time (CLI-14)', async () => {
    scene = await LoginScene.start();
    const call = scene.createFetch();
    await call(scene.server.url);
    scene.login.endAccessTokens();
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('are given up when the grant is over: the user logs in again (CLI-14)', async () => {
    scene = await LoginScene.start();
    const call = scene.createFetch();
    await call(scene.server.url);
    scene.login.endGrants();
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token!', 'authorization_code']);
    expect(scene.visitor.opened).toHaveLength(2);
  });

  it('are known to be no good by the process after the one that learnt it (CLI-12) (CLI-14)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    scene.login.endGrants();
    const first = scene.createSource();
    const refusedToken = await first.tokenForScopes(['desk:read']);
    const challenge = { serverUrl: scene.server.url, status: 401, error: 'invalid_token' } as const;
    await first.respond({ ...challenge, scopes: [], resourceMetadataUrl: undefined, refusedToken });
    expect((await scene.createFetch()(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(2);
  });

  it('stay where the authorization server has no answer, and are not logged in for (CLI-14)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    await age();
    const before = await scene.kept();
    const failing: typeof fetch = async (input, init) => {
      const isToken = (input instanceof Request ? input.url : String(input)).endsWith('/token');
      return isToken ? new Response('{}', { status: 503 }) : fetch(input, init);
    };
    const call = scene.createFetch({ fetch: failing });
    await expect(call(scene.server.url)).rejects.toMatchObject({
      code: 'token_request_refused',
      status: 503,
    });
    expect(await scene.kept()).toEqual(before);
    expect(scene.visitor.opened).toHaveLength(1);
  });

  it('are no use to a client with another id (CLI-06)', async () => {
    const client = {
      client_id: 'other',
      redirect_uris: ['http://127.0.0.1/callback'],
      application_type: 'native' as const,
      token_endpoint_auth_method: 'none' as const,
    };
    scene = await LoginScene.start({ clients: [client] });
    await scene.createFetch()(scene.server.url);
    await scene.createFetch({ clientId: 'other' })(scene.server.url);
    expect(scene.visitor.opened.at(-1)?.searchParams.get('client_id')).toBe('other');
    expect((await scene.kept())?.registration?.clientId).toBe('other');
  });

  it('which are refused as soon as they are renewed take a login, not another renewal (CLI-12) (CLI-14)', async () => {
    scene = await LoginScene.start();
    const call = scene.createFetch();
    await call(scene.server.url);
    const { findScopes } = scene.server;
    scene.server.findScopes = async () => undefined;
    await expect(call(scene.server.url)).rejects.toMatchObject({ code: 'retry_exhausted' });
    scene.server.findScopes = findScopes;
    scene.login.endAccessTokens();
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token', 'authorization_code']);
  });
});

describe('A server that asks for more', () => {
  it('gets what the user allows, and the token before it serves others meanwhile (CLI-11) (CLI-12)', async () => {
    scene = await LoginScene.start();
    const source = scene.createSource();
    await source.tokenForScopes(['desk:read']);
    const before = await source.token();
    const challenge = { serverUrl: scene.server.url, status: 403, error: 'insufficient_scope' } as const;
    const more = { scopes: ['desk:write'], resourceMetadataUrl: undefined, refusedToken: before };
    await source.respond({ ...challenge, ...more });
    await expect(source.token()).resolves.toBe(before);
    const after = await source.tokenForScopes(['desk:write']);
    expect(await scene.login.findScopes(after)).toEqual(expect.arrayContaining(['desk:read', 'desk:write']));
  });

  it('may be told no, and the token for less serves on (CLI-11)', async () => {
    scene = await LoginScene.start();
    const call = scene.createFetch();
    await call(scene.server.url);
    scene.login.decision = 'deny';
    await expect(call(`${scene.server.url}/write`)).rejects.toMatchObject({ code: 'login_refused' });
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(2);
  });

  it('and is refused has the token for less renewed all the same when its time is up (CLI-11) (CLI-14)', async () => {
    scene = await LoginScene.start({ accessTokenSeconds: 4 });
    const call = scene.createFetch();
    await call(scene.server.url);
    scene.login.decision = 'deny';
    await expect(call(`${scene.server.url}/write`)).rejects.toMatchObject({ code: 'login_refused' });
    const isRenewed = async () =>
      (await call(scene.server.url)).ok && scene.login.grants.includes('refresh_token');
    await until(isRenewed, 'a refresh');
    expect(scene.visitor.opened).toHaveLength(2);
  });

  it('and whose user goes away costs no tokens that can be renewed, or were meanwhile (CLI-11) (CLI-14)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    await age();
    const before = await scene.kept();
    await goAway();
    expect(await scene.kept()).toEqual(before);
    await goAway(() => scene.createFetch()(scene.server.url));
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token']);
    expect((await scene.kept())?.tokens?.accessToken).toBe(scene.server.tokens.at(-1));
  });

  it('and whose user goes away has a client forgotten whose tokens are good for nothing (CLI-06) (CLI-14)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    await age();
    const { tokens, ...others } = (await scene.kept())!;
    const { refreshToken: _refresh, ...accessToken } = tokens!;
    const key = { serverUrl: scene.server.url, issuer: scene.login.issuer };
    await scene.store.set(key, { ...others, tokens: accessToken });
    await goAway();
    expect(await scene.kept()).toBeUndefined();
  });

  it('and finds that a token lacks what it was asked for with has its user log in, and renews nothing (CLI-11)', async () => {
    scene = await LoginScene.start();
    const call = scene.createFetch({ scopes: ['desk:read', 'desk:write'], loginPauseMs: 0 });
    await call(scene.server.url);
    const granted = scene.server.tokens.at(-1);
    scene.server.findScopes = async (token) =>
      token === granted ? ['desk:read'] : scene.login.findScopes(token);
    expect((await call(`${scene.server.url}/write`)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code', 'authorization_code']);
  });

  it('without saying for what is taken to want all that its metadata names (CLI-11)', async () => {
    scene = await LoginScene.start();
    scene.server.scopesSupported = ['desk:read', 'desk:write'];
    const source = scene.createSource();
    const refusedToken = await source.tokenForScopes(['desk:read']);
    const challenge = { serverUrl: scene.server.url, status: 403, error: 'insufficient_scope' } as const;
    await source.respond({ ...challenge, scopes: [], resourceMetadataUrl: undefined, refusedToken });
    await source.tokenForScopes([]);
    const asked = scene.visitor.opened.at(-1)?.searchParams.get('scope');
    expect(asked).toBe('desk:read desk:write offline_access');
  });

  it('and keeps asking is asked no more than once for one call (CLI-12)', async () => {
    scene = await LoginScene.start();
    const call = scene.createFetch();
    await call(scene.server.url);
    scene.server.findScopes = async (token) =>
      (await scene.login.findScopes(token))?.filter((scope) => scope !== 'desk:write');
    const write = call(`${scene.server.url}/write`);
    await expect(write).rejects.toMatchObject({ code: 'retry_exhausted', status: 403 });
    expect(scene.visitor.opened).toHaveLength(2);
  });
});
