import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { DpopKey } from 'nestjs-mcp/client';
import { LoginScene } from '../../support/authorization/login-scene.js';

let scene: LoginScene;

beforeEach(async () => {
  scene = await LoginScene.start();
});
afterEach(() => scene.stop());

/** The headers of the calls to the server, in order. */
const calls = () =>
  scene.server.party.requests.filter(({ path }) => path.startsWith('/mcp')).map(({ headers }) => headers);

describe('A login for tokens that are bound to a key (RFC 9449)', () => {
  it('gives such, and each call proves that it has the key (CLI-19)', async () => {
    expect((await scene.createFetch({ dpop: true })(scene.server.url)).status).toBe(200);
    const { authorization = '', dpop } = calls().at(-1)!;
    expect(authorization).toMatch(/^DPoP /);
    expect(decodeJwt(String(dpop))).toMatchObject({ htm: 'GET', htu: scene.server.url });
    expect((await scene.kept())?.tokens?.tokenType).toBe('dpop');
  });

  it('serves the next process, which has the same key from the store (CLI-14) (CLI-19)', async () => {
    await scene.createFetch({ dpop: true })(scene.server.url);
    await scene.createFetch({ dpop: true })(scene.server.url);
    const [first, second] = calls()
      .filter(({ dpop }) => dpop !== undefined)
      .map(({ dpop }) => decodeProtectedHeader(String(dpop)).jwk);
    expect(second).toEqual(first);
    expect(scene.visitor.opened).toHaveLength(1);
  });

  it('is renewed with a proof of the same key (CLI-14) (CLI-19)', async () => {
    const call = scene.createFetch({ dpop: true });
    await call(scene.server.url);
    scene.login.endAccessTokens();
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token']);
    expect((await scene.kept())?.tokens?.tokenType).toBe('dpop');
  });

  it('is begun again by who has another key, or none (CLI-19)', async () => {
    const dpop = await DpopKey.generate();
    await scene.createFetch({ dpop })(scene.server.url);
    expect((await scene.kept())?.dpopKey).toEqual({ thumbprint: dpop.thumbprint });
    expect((await scene.createFetch({ dpop })(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(1);
    expect((await scene.createFetch({ dpop: await DpopKey.generate() })(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(2);
    expect((await scene.createFetch()(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(3);
    expect(calls().at(-1)?.authorization).toMatch(/^Bearer /);
  });
});
