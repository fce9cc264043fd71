import { afterEach, describe, expect, it } from '@jest/globals';
import { logOut, type LogoutOptions } from 'nestjs-mcp/client';
import { LoginScene } from '../../support/authorization/login-scene.js';

const GIVEN = { client_id: 'desk-cli', client_secret: 'the-secret-of-a-client' };

let scene: LoginScene;

afterEach(() => scene.stop());

const findKey = () => ({ serverUrl: scene.server.url, issuer: scene.login.issuer });

/** Logs in, and gives what is kept of it. */
async function logIn(options: Parameters<LoginScene['createFetch']>[0] = {}) {
  await scene.createFetch(options)(scene.server.url);
  const kept = await scene.kept();
  if (kept?.tokens === undefined) throw new Error('Nobody has logged in');
  return { ...kept, tokens: kept.tokens };
}

const leave = (options: LogoutOptions = {}) => logOut(findKey(), { store: scene.store, ...options });

describe('The end of a login (RFC 7009)', () => {
  it('has both tokens withdrawn, first the one that others are got by (CLI-14) (CLI-20)', async () => {
    scene = await LoginScene.start();
    const { tokens, registration } = await logIn();
    expect(await leave()).toEqual({ revocation: 'done' });
    const asked = scene.login.at('revocation');
    expect(asked.map(({ status }) => status)).toEqual([200, 200]);
    expect(asked.map(({ parameters }) => parameters)).toEqual([
      {
        token: tokens.refreshToken,
        token_type_hint: 'refresh_token',
        client_id: registration?.clientId,
      },
      { token: tokens.accessToken, token_type_hint: 'access_token', client_id: registration?.clientId },
    ]);
    expect(await scene.login.findScopes(tokens.accessToken)).toBeUndefined();
  });

  it('leaves a refresh token behind that is good for nothing (CLI-14) (CLI-20)', async () => {
    scene = await LoginScene.start();
    const kept = await logIn();
    await leave();
    await scene.store.set(findKey(), { ...kept, tokens: { ...kept.tokens, expiresAtMs: 1 } });
    await scene.createFetch()(scene.server.url);
    expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token!', 'authorization_code']);
  });

  it('forgets all, and the next call logs in anew (CLI-14) (CLI-20)', async () => {
    scene = await LoginScene.start();
    await logIn();
    await leave();
    expect(await scene.store.issuers(scene.server.url)).toEqual([]);
    await logIn();
    expect(scene.visitor.opened).toHaveLength(2);
  });

  it('shows by its secret who the client is, which is not kept (CLI-14) (CLI-20)', async () => {
    const client = { ...GIVEN, token_endpoint_auth_method: 'client_secret_basic' as const };
    const redirect = { redirect_uris: ['http://127.0.0.1/callback'], application_type: 'native' as const };
    const grants = { grant_types: ['authorization_code', 'refresh_token'] };
    scene = await LoginScene.start({ clients: [{ ...client, ...redirect, ...grants }] });
    const given = { clientId: GIVEN.client_id, clientSecret: GIVEN.client_secret };
    const kept = await logIn(given);
    expect(JSON.stringify(kept)).not.toContain(GIVEN.client_secret);
    expect(await leave({ clientSecret: GIVEN.client_secret })).toEqual({ revocation: 'done' });
    const credentials = Buffer.from(`${GIVEN.client_id}:${GIVEN.client_secret}`).toString('base64');
    expect(scene.login.at('revocation').map(({ authorization }) => authorization)).toEqual([
      `Basic ${credentials}`,
      `Basic ${credentials}`,
    ]);
    await scene.store.set(findKey(), kept);
    const { revocation, error } = await leave();
    expect(revocation).toBe('failed');
    expect(error).toMatchObject({ code: 'revocation_refused', error: expect.stringMatching(/^invalid_/) });
    expect(await scene.kept()).toBeUndefined();
  });

  it.each(['dynamic', 'metadata-document'] as const)(
    'shows no secret where the client was not given, but is known by another way: %s (CLI-06) (CLI-14) (CLI-20)',
    async (origin) => {
      scene = await LoginScene.start();
      const { registration, ...others } = await logIn();
      const { clientId } = registration!;
      await scene.store.set(findKey(), { ...others, registration: { clientId, origin } });
      expect(await leave({ clientSecret: GIVEN.client_secret })).toEqual({ revocation: 'done' });
      const asked = scene.login.at('revocation');
      expect(asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
      expect(JSON.stringify(asked)).not.toContain(GIVEN.client_secret);
    },
  );

  it('has the access token withdrawn though the other one is refused, and says that it was (CLI-14) (CLI-20)', async () => {
    scene = await LoginScene.start();
    const { tokens, ...others } = await logIn();
    // Longer than this authorization server takes a request.
    const refreshToken = 'a'.repeat(100_000);
    await scene.store.set(findKey(), { ...others, tokens: { ...tokens, refreshToken } });
    const { revocation, error } = await leave();
    expect([revocation, error]).toEqual(['failed', expect.objectContaining({ code: 'revocation_refused' })]);
    expect(await scene.login.findScopes(tokens.accessToken)).toBeUndefined();
  });

  it('says where tokens cannot be withdrawn, and forgets them (CLI-14) (CLI-20)', async () => {
    scene = await LoginScene.start({ revokes: false });
    await logIn();
    expect(await leave()).toEqual({ revocation: 'unsupported' });
    expect(await scene.kept()).toBeUndefined();
  });

  it('asks nobody where no token is left (CLI-14) (CLI-20)', async () => {
    scene = await LoginScene.start();
    const { tokens, ...others } = await logIn();
    const { refreshToken: _refresh, ...accessToken } = tokens;
    for (const kept of [others, { ...others, tokens: { ...accessToken, expiresAtMs: 1 } }]) {
      await scene.store.set(findKey(), kept);
      expect(await leave()).toEqual({ revocation: 'unneeded' });
    }
    expect(await leave()).toEqual({ revocation: 'unneeded' });
    expect(scene.login.at('revocation')).toEqual([]);
  });

  it('forgets all where the authorization server is away, and says so (CLI-14) (CLI-20)', async () => {
    scene = await LoginScene.start();
    await logIn();
    const key = { serverUrl: scene.server.url, issuer: `${scene.server.party.origin}/nobody` };
    await scene.store.set(key, (await scene.kept()) ?? {});
    const ended = await logOut(key, { store: scene.store });
    expect(ended).toMatchObject({ revocation: 'failed', error: { code: 'discovery_failed' } });
    expect(await scene.store.get(key)).toBeUndefined();
  });

  it('forgets all where it is broken off (CLI-14) (CLI-20)', async () => {
    scene = await LoginScene.start();
    await logIn();
    const { revocation } = await leave({ signal: AbortSignal.abort() });
    expect([revocation, await scene.kept()]).toEqual(['failed', undefined]);
    expect(scene.login.at('revocation')).toEqual([]);
  });

  it('is done once by two who do it at the same time (CLI-14) (CLI-20)', async () => {
    scene = await LoginScene.start();
    await logIn();
    const ended = await Promise.all([leave(), leave()]);
    expect(ended.map(({ revocation }) => revocation).toSorted()).toEqual(['done', 'unneeded']);
    expect(scene.login.at('revocation')).toHaveLength(2);
  });
});
