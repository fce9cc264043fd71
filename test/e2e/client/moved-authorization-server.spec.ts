import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LoginScene } from '../../support/authorization/login-scene.js';
import type { LoginServer } from '../../support/authorization/login-server.js';

const CLIENT = {
  client_id: 'given-client',
  client_secret: 'the-secret-of-the-client',
  redirect_uris: ['http://127.0.0.1/callback'],
  application_type: 'native' as const,
  grant_types: ['authorization_code', 'refresh_token'],
};

let scene: LoginScene;

beforeEach(async () => {
  scene = await LoginScene.start({ clients: [CLIENT] });
});
afterEach(() => scene.stop());

/** All that an authorization server was told, besides that somebody wants its metadata. */
function told({ exchanges }: LoginServer): string {
  return JSON.stringify(exchanges.filter(({ route }) => route !== 'discovery'));
}

describe('A server that trusts another authorization server from now on', () => {
  it('has its user log in there, by a client id of there (CLI-06)', async () => {
    const call = scene.createFetch();
    await call(scene.server.url);
    const first = (await scene.kept())!;
    const second = await scene.move();
    expect((await call(scene.server.url)).status).toBe(200);
    expect(second.grants).toEqual(['authorization_code']);
    for (const secret of [
      first.registration!.clientId,
      first.tokens!.accessToken,
      first.tokens!.refreshToken!,
    ]) {
      expect(told(second)).not.toContain(secret);
    }
    expect((await scene.kept(second))?.registration?.clientId).not.toBe(first.registration?.clientId);
  });

  it('keeps what the first one gave, which serves when it moves back (CLI-06) (CLI-14)', async () => {
    const call = scene.createFetch();
    await call(scene.server.url);
    await scene.move();
    await call(scene.server.url);
    scene.adopt(scene.login);
    expect((await call(scene.server.url)).status).toBe(200);
    expect(scene.visitor.opened).toHaveLength(2);
    expect(scene.login.at('registration')).toHaveLength(1);
  });

  it('does not have the second one see the id that somebody was given by the first, nor its secret (CLI-06)', async () => {
    const { client_id: clientId, client_secret: clientSecret } = CLIENT;
    const call = scene.createFetch({ clientId, clientSecret });
    await call(scene.server.url);
    const second = await scene.move({ clients: [CLIENT] });
    const again = call(scene.server.url);
    await expect(again).rejects.toMatchObject({ code: 'registration_unavailable', issuer: second.issuer });
    const later = scene.createFetch({ clientId, clientSecret })(scene.server.url);
    await expect(later).rejects.toMatchObject({ code: 'registration_unavailable' });
    expect(told(second)).toBe('[]');
    expect(scene.visitor.opened).toHaveLength(1);
  });

  it('is followed with a given id by who says that the second one gave it (CLI-06)', async () => {
    const { client_id: clientId, client_secret: clientSecret } = CLIENT;
    await scene.createFetch({ clientId, clientSecret })(scene.server.url);
    const second = await scene.move({ clients: [CLIENT] });
    const call = scene.createFetch({ clientId, clientSecret, issuer: second.issuer });
    expect((await call(scene.server.url)).status).toBe(200);
  });

  it('is not followed by who logs in with one issuer alone (CLI-06)', async () => {
    const call = scene.createFetch({ issuer: scene.login.issuer });
    await call(scene.server.url);
    const second = await scene.move();
    await expect(call(scene.server.url)).rejects.toMatchObject({
      code: 'issuer_mismatch',
      expected: scene.login.issuer,
      found: second.issuer,
    });
    expect(second.exchanges).toEqual([]);
  });
});
