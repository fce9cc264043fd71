import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthorizedFetch, LoginIneffectiveError } from 'nestjs-mcp/client';
import { StoredLoginSource } from '../../../cli/server/stored-login-source.js';
import { TokenlessStore } from '../../../cli/login/login-stores.js';
import { LoginScene } from '../../support/authorization/login-scene.js';

let scene: LoginScene;

beforeEach(async () => {
  scene = await LoginScene.start();
});
afterEach(() => scene.stop());

const write = () => `${scene.server.url}/write`;

/** Has the server take no token for `desk:write`, whatever the authorization server says. */
function withholdWrite(): void {
  scene.server.findScopes = async (token) =>
    (await scene.login.findScopes(token))?.filter((scope) => scope !== 'desk:write');
}

describe('A scope that a login did not bring', () => {
  it('opens no second login for the next call, which fails at once with what is missing (PEER-06)', async () => {
    withholdWrite();
    const call = scene.createFetch();
    await expect(call(write())).rejects.toMatchObject({ code: 'retry_exhausted', status: 403 });
    const { opened } = scene.visitor;
    const logins = opened.length;
    const error = await call(write()).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(LoginIneffectiveError);
    expect(error).toMatchObject({
      code: 'login_ineffective',
      status: 403,
      issuer: scene.login.issuer,
      demanded: ['desk:write'],
    });
    expect(String(error)).toMatch(
      /it requires the scopes "desk:write".* log in again; after \d+ s, the next call starts a new login$/,
    );
    expect(opened).toHaveLength(logins);
  });

  it('is named where the authorization server says that it did not grant it (PEER-06)', async () => {
    await scene.stop();
    scene = await LoginScene.start({ scopes: ['desk:read', 'offline_access'] });
    const call = scene.createFetch();
    await call(scene.server.url);
    await call(write()).catch(() => undefined);
    const { opened } = scene.visitor;
    const logins = opened.length;
    await expect(call(write())).rejects.toMatchObject({
      code: expect.stringMatching(/login_(?:ineffective|refused)/),
    });
    expect(opened).toHaveLength(logins);
  });

  it('is remembered by others who share the store (PEER-06)', async () => {
    withholdWrite();
    await scene
      .createFetch()(write())
      .catch(() => undefined);
    const { opened } = scene.visitor;
    const logins = opened.length;
    await expect(scene.createFetch()(write())).rejects.toMatchObject({ code: 'login_ineffective' });
    expect(opened).toHaveLength(logins);
  });

  it('keeps no other call from what the login did bring (PEER-06)', async () => {
    withholdWrite();
    const call = scene.createFetch();
    await call(write()).catch(() => undefined);
    await call(write()).catch(() => undefined);
    expect((await call(scene.server.url)).status).toBe(200);
  });

  it('is asked for once more when the pause is over (PEER-06)', async () => {
    withholdWrite();
    const call = scene.createFetch({ loginPauseMs: 0 });
    await call(write()).catch(() => undefined);
    const logins = scene.visitor.opened.length;
    await expect(call(write())).rejects.toMatchObject({ code: 'retry_exhausted' });
    expect(scene.visitor.opened).toHaveLength(logins + 1);
  });

  it('is asked for where another is missing besides (PEER-06)', async () => {
    const { findScopes } = scene.server;
    withholdWrite();
    const call = scene.createFetch({ scopes: ['desk:read'] });
    await call(scene.server.url);
    scene.server.findScopes = findScopes;
    expect((await call(write())).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(2);
  });

  it('is asked for where somebody means to log in, as the command "login" does (PEER-06)', async () => {
    withholdWrite();
    await scene
      .createFetch()(write())
      .catch(() => undefined);
    const logins = scene.visitor.opened.length;
    const again = scene.createFetch({ store: new TokenlessStore(scene.store) });
    await expect(again(write())).rejects.toMatchObject({ code: 'retry_exhausted' });
    expect(scene.visitor.opened.length).toBeGreaterThan(logins);
  });

  it('fails the commands that use the login which is kept (PEER-06)', async () => {
    withholdWrite();
    await scene
      .createFetch()(write())
      .catch(() => undefined);
    const { server, store } = scene;
    const kept = new StoredLoginSource(scene.createSource(), { login: { serverUrl: server.url }, store });
    const call = createAuthorizedFetch({ serverUrl: server.url, tokenSource: kept });
    await expect(call(write())).rejects.toMatchObject({ code: 'login_ineffective' });
  });
});

describe('A login whose token the server takes for nothing', () => {
  it('is not repeated for the next call (PEER-06)', async () => {
    scene.server.findScopes = async () => undefined;
    const call = scene.createFetch();
    const failures: unknown[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      failures.push(await call(scene.server.url).catch((error: { code: string }) => error.code));
    }
    expect(failures.slice(-2)).toEqual(['login_ineffective', 'login_ineffective']);
    expect(scene.visitor.opened).toHaveLength(1);
    const other = scene.createFetch();
    await other(scene.server.url).catch(() => undefined);
    await expect(other(scene.server.url)).rejects.toMatchObject({ code: 'login_ineffective', status: 401 });
    expect(scene.visitor.opened).toHaveLength(1);
  });

  it('is repeated where the token was taken before it came to an end (PEER-06)', async () => {
    const call = scene.createFetch();
    await call(scene.server.url);
    scene.login.endGrants();
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(2);
  });
});

describe('A login that is refused', () => {
  const refusal = async (error: string) => {
    const { opened } = scene.visitor;
    const source = scene.createSource({
      authorizer: {
        redirectUri: 'http://127.0.0.1/callback',
        authorize: async (url) => {
          opened.push(url);
          const state = url.searchParams.get('state') ?? '';
          const iss = encodeURIComponent(scene.login.issuer);
          return new URL(`http://127.0.0.1/callback?error=${error}&state=${state}&iss=${iss}`);
        },
      },
    });
    const call = createAuthorizedFetch({ serverUrl: scene.server.url, tokenSource: source });
    for (let time = 0; time < 2; time += 1) {
      await expect(call(scene.server.url)).rejects.toMatchObject({ code: 'login_refused', error });
    }
    return opened.length;
  };

  it('for what it asks for is not begun again by the next call (PEER-06)', async () => {
    expect(await refusal('invalid_scope')).toBe(1);
  });

  it('by its user is theirs to begin again (CLI-09)', async () => {
    expect(await refusal('access_denied')).toBe(2);
  });
});

describe('A token that worked and is then refused', () => {
  it('is renewed first, also one that was renewed a moment ago (PEER-06)', async () => {
    const call = scene.createFetch();
    await call(scene.server.url);
    for (let time = 0; time < 3; time += 1) {
      scene.login.endAccessTokens();
      expect((await call(scene.server.url)).status).toBe(200);
    }
    expect(scene.login.grants).toEqual([
      'authorization_code',
      'refresh_token',
      'refresh_token',
      'refresh_token',
    ]);
    expect(scene.visitor.opened).toHaveLength(1);
  });

  it('is renewed first where the challenge names scopes that were never asked for (PEER-06)', async () => {
    const call = scene.createFetch();
    await call(scene.server.url);
    scene.login.endAccessTokens();
    scene.server.firstScope = 'desk:read desk:write';
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token']);
    expect(scene.visitor.opened).toHaveLength(1);
  });
});
