import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { json, status } from '../../support/authorization/party.js';
import { CLIENT, ExchangeScene } from './invoices.app.js';

const REFUSAL = 'The call cannot be made on your behalf at the moment';

let scene: ExchangeScene;

beforeEach(async () => {
  scene = await ExchangeScene.start();
});
afterEach(() => scene.stop());

describe('An exchange that fails', () => {
  it.each([
    ['invalid_client', 401, /check "auth\.exchange\.clientId" and its secret or key/],
    ['unauthorized_client', 400, /allow the "auth\.exchange" client to use the token exchange grant/],
    ['invalid_target', 400, /register the audience or the resource with the authorization server/],
    ['invalid_grant', 400, /the caller's token has expired or was revoked/],
    ['made_up', 400, /responded with status 400 and "made_up"/],
  ])('by "%s" tells the log what to do, and the caller nothing (OBO-01)', async (error, code, fix) => {
    await scene.boot();
    const token = await scene.issuer.token();
    scene.server.reply = () => json({ error, error_description: `no ${token}` }, code);
    await expect(scene.call(token, 'exchange')).resolves.toBe(REFUSAL);
    await expect(scene.call(token, 'exchange')).resolves.toBe(REFUSAL);
    const lines = scene.log.find('warn', 'A token could not be exchanged: ');
    expect(lines).toEqual([expect.stringMatching(fix)]);
    expect(scene.log.text).not.toContain(token.slice(0, 40));
    expect(scene.log.text).not.toContain(CLIENT.clientSecret);
    expect(scene.server.asked).toHaveLength(2);
  });

  it.each([
    ['no JSON', () => json('here you are')],
    ['a token that is no bearer token', () => json(scene.give({ token_type: 'DPoP' }))],
    [
      'what is no access token',
      () => json(scene.give({ issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag' })),
    ],
    ['endless JSON', () => json({ filling: 'x'.repeat(600_000) })],
  ])('by %s is a refusal (OBO-01)', async (_what, reply) => {
    await scene.boot();
    const token = await scene.issuer.token();
    scene.server.reply = reply;
    await expect(scene.call(token, 'exchange')).resolves.toBe(REFUSAL);
    expect(scene.log.find('warn', 'A token could not be exchanged: ')).toHaveLength(1);
    expect(scene.log.text).not.toMatch(/token-1/);
  });

  it('by a redirect takes the token of the caller nowhere else (OBO-01)', async () => {
    await scene.boot();
    scene.server.reply = () => status(307, { location: `${scene.server.issuer}/elsewhere` });
    await expect(scene.call(await scene.issuer.token(), 'exchange')).resolves.toBe(REFUSAL);
    expect(scene.server.party.paths).toEqual(['/tokens']);
  });

  it('by an authorization server that does not answer ends in time (OBO-01)', async () => {
    await scene.boot('express', { tokenEndpoint: scene.server.tokenEndpoint, ...CLIENT, timeoutMs: 50 });
    scene.server.reply = () => () => undefined;
    await expect(scene.call(await scene.issuer.token(), 'exchange')).resolves.toBe(REFUSAL);
    expect(scene.log.text).toMatch(/could not be exchanged: "http:.*\/tokens" did not respond within 50 ms/);
  });

  it('is not kept (OBO-01)', async () => {
    await scene.boot();
    const token = await scene.issuer.token();
    scene.server.reply = () => json({ error: 'invalid_grant' }, 400);
    await scene.call(token, 'exchange');
    scene.server.reply = () => json(scene.give());
    await expect(scene.call(token, 'exchange')).resolves.toBe('token-1');
  });

  it('asks for no scope that would be two (OBO-01)', async () => {
    await scene.boot();
    const text = await scene.call(await scene.issuer.token(), 'exchange', {
      scopes: ['invoices:read admin'],
    });
    expect(text).toMatch(/^Internal error/);
    expect(scene.server.asked).toEqual([]);
  });
});

describe('The token that is exchanged', () => {
  const FIXED = 'fixed-token-of-the-night-job';
  const KEY = 'api-key-of-ada-0123456789';
  const validator = { validate: (token: string) => (token === KEY ? { sub: 'ada' } : undefined) };

  it.each([
    ['a fixed one', FIXED, 'auth.bearer'],
    ["one of the application's own validator", KEY, 'auth.validator'],
  ])('is not %s (OBO-01) (AUTH-15)', async (_what, token, option) => {
    await scene.boot('express', undefined, { bearer: FIXED, validator });
    await expect(scene.call(token, 'exchange')).resolves.toBe(REFUSAL);
    await expect(scene.call(await scene.issuer.token(), 'exchange')).resolves.toBe('token-1');
    expect(scene.server.party.requests.map(({ body }) => body).join()).not.toContain(token);
    expect(scene.log.find('warn', 'A token could not be exchanged: ')).toEqual([
      expect.stringContaining(`validated by "${option}", expected "auth.jwt" or "auth.introspection"`),
    ]);
    expect(scene.log.text).not.toContain(token);
  });

  it('is not one of another issuer than that whose metadata names the endpoint (OBO-01)', async () => {
    const south = await TestIssuer.start({ path: '/south' });
    const authorizationServers = [scene.server.issuer, south.url];
    const jwt = { issuer: [scene.server.issuer, south.url], jwksUrl: south.jwksUrl };
    await scene.boot('express', CLIENT, { authorizationServers, jwt });
    await expect(scene.call(await south.token(), 'exchange')).resolves.toBe(REFUSAL);
    expect(scene.server.asked).toEqual([]);
    expect(scene.log.text).toContain(
      'set "auth.exchange.tokenEndpoint" if tokens from both issuers may be sent there',
    );
    const own = await south.token({ iss: scene.server.issuer });
    await expect(scene.call(own, 'exchange')).resolves.toBe('token-1');
    await south.stop();
  });

  it('may be one of another issuer where the application names the endpoint (OBO-01)', async () => {
    await scene.boot('express', undefined, { authorizationServers: [scene.server.issuer, scene.issuer.url] });
    await expect(scene.call(await scene.issuer.token(), 'exchange')).resolves.toBe('token-1');
  });
});

describe('The endpoint of an exchange', () => {
  it('is found by the metadata of the first authorization server, once it is there (OBO-01)', async () => {
    await scene.boot('express', CLIENT);
    const token = await scene.issuer.token();
    await expect(scene.call(token, 'exchange')).resolves.toBe(REFUSAL);
    expect(scene.log.text).toMatch(/does not contain a "token_endpoint": set "auth\.exchange/);
    scene.issuer.metadata['token_endpoint'] = scene.server.tokenEndpoint;
    scene.issuer.metadata['token_endpoint_auth_methods_supported'] = ['client_secret_post'];
    await expect(scene.call(token, 'exchange')).resolves.toBe('token-1');
    expect(scene.server.forms[0]).toMatchObject({ client_id: 'desk', client_secret: CLIENT.clientSecret });
    delete scene.issuer.metadata['token_endpoint'];
  });

  it('is told by a key who exchanges, in an assertion for the issuer (OBO-01)', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await scene.boot('express', {
      tokenEndpoint: scene.server.tokenEndpoint,
      clientId: 'desk',
      privateKey: pem,
    });
    await expect(scene.call(await scene.issuer.token(), 'exchange')).resolves.toBe('token-1');
    const assertion = scene.server.forms[0]?.['client_assertion'] ?? '';
    const expected = { issuer: 'desk', subject: 'desk', audience: scene.issuer.url };
    await expect(jwtVerify(assertion, publicKey, expected)).resolves.toHaveProperty('payload.jti');
    expect(scene.log.text).not.toContain(pem);
  });
});
