import { afterEach, describe, expect, it } from '@jest/globals';
import type { OAuthTokenSourceOptions } from 'nestjs-mcp/client';
import { endEarlierLogins } from '../../../cli/login/end-earlier-logins.js';
import { TokenlessStore } from '../../../cli/login/login-stores.js';
import { LoginScene } from '../../support/authorization/login-scene.js';

const OTHER = {
  client_id: 'other',
  redirect_uris: ['http://127.0.0.1/callback'],
  application_type: 'native' as const,
  token_endpoint_auth_method: 'none' as const,
};

let scene: LoginScene;

afterEach(() => scene.stop());

/** Logs in though there is a login, and ends the one before. */
async function logInAgain(options: Partial<OAuthTokenSourceOptions> = {}, login = scene.login) {
  const { store, server } = scene;
  const unseen = new TokenlessStore(store);
  await scene.createFetch({ store: unseen, ...options })(server.url);
  const logins = [{ issuer: login.issuer, credentials: (await scene.kept(login)) ?? {} }];
  const { replaced } = unseen;
  return endEarlierLogins({ serverUrl: server.url, store, logins, replaced });
}

async function findKept(login = scene.login) {
  return (await scene.kept(login))?.tokens;
}

describe('A login in the place of another (RFC 7009)', () => {
  it('has the tokens of another client withdrawn (CLI-14, CLI-20)', async () => {
    scene = await LoginScene.start({ clients: [OTHER] });
    await scene.createFetch()(scene.server.url);
    const before = await findKept();
    expect(await logInAgain({ clientId: 'other' })).toEqual([]);
    const withdrawn = scene.login.at('revocation').map(({ parameters }) => parameters['token']);
    expect(withdrawn).toEqual([before?.refreshToken, before?.accessToken]);
    const after = (await findKept())?.accessToken ?? '';
    expect(await scene.login.findScopes(after)).toEqual(['desk:read']);
  });

  it('leaves those of the same client to expire, whose end might be that of the new ones (CLI-14, CLI-20)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    const before = await findKept();
    expect(await logInAgain()).toEqual([]);
    expect(scene.login.at('revocation')).toEqual([]);
    expect((await findKept())?.accessToken).not.toBe(before?.accessToken);
    expect(scene.visitor.opened).toHaveLength(2);
  });

  it('ends the one at the issuer that the server had before, where the client stays known (CLI-06, CLI-14, CLI-20)', async () => {
    scene = await LoginScene.start();
    await scene.createFetch()(scene.server.url);
    const before = await scene.kept();
    const login = await scene.move();
    expect(await logInAgain({}, login)).toEqual([]);
    expect(await scene.kept()).toEqual({ registration: before?.registration });
    expect(await scene.login.findScopes(before?.tokens?.accessToken ?? '')).toBeUndefined();
    expect(login.at('revocation')).toEqual([]);
  });

  it('names an issuer that withdraws nothing, and serves all the same (CLI-14, CLI-20)', async () => {
    scene = await LoginScene.start();
    const issuer = `${scene.server.party.origin}/nobody`;
    await scene.createFetch()(scene.server.url);
    await scene.store.set({ serverUrl: scene.server.url, issuer }, (await scene.kept()) ?? {});
    expect(await logInAgain()).toEqual([issuer]);
    expect(await findKept()).toBeDefined();
  });
});
