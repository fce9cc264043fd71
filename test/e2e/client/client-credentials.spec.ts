import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, type JWK } from 'jose';
import { ClientCredentialsTokenSource, type ClientCredentialsOptions } from 'nestjs-mcp/client';
import { GrantScene } from '../../support/authorization/grant-scene.js';
import { MachineServer } from '../../support/authorization/machine-server.js';

/** Both have what a form has to encode. */
const CLIENT = { clientId: 'night:job', clientSecret: 'a secret/of the job+with 100%' };
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let scene: GrantScene;

beforeEach(async () => {
  scene = await GrantScene.start();
});
afterEach(() => scene.stop());

function get(options: Omit<ClientCredentialsOptions, 'serverUrl'>): Promise<number> {
  return scene.call(new ClientCredentialsTokenSource({ serverUrl: scene.server.url, ...options }));
}

describe('A program with a secret (RFC 6749 §2.3.1)', () => {
  it.each([
    ['nothing', undefined],
    ['both ways', ['client_secret_post', 'client_secret_basic']],
    ['neither way', ['private_key_jwt']],
  ])('shows it in a header where the metadata lists %s (CLI-15)', async (_what, methods) => {
    scene.issuer.metadata['token_endpoint_auth_methods_supported'] = methods;
    await get(CLIENT);
    const [{ headers, form } = { headers: {}, form: {} }] = scene.issuer.asked;
    const credentials = Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString();
    expect(credentials.split(':').map((part) => new URLSearchParams(`=${part}`).get(''))).toEqual([
      CLIENT.clientId,
      CLIENT.clientSecret,
    ]);
    expect(form).not.toHaveProperty('client_id');
    expect(form).not.toHaveProperty('client_secret');
  });

  it('shows it in the form where the metadata lists only that, or it is told so (CLI-15)', async () => {
    scene.issuer.metadata['token_endpoint_auth_methods_supported'] = ['client_secret_post'];
    await get(CLIENT);
    scene.issuer.metadata['token_endpoint_auth_methods_supported'] = ['client_secret_basic'];
    await get({ ...CLIENT, authenticationMethod: 'client_secret_post' });
    const shown = { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret };
    expect(scene.issuer.forms).toMatchObject([shown, shown]);
    expect(scene.issuer.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it.each([
    [{ clientId: 'night-job' }, /"clientSecret" or a "privateKey" is required/],
    [{ ...CLIENT, privateKey: {} }, /"privateKey" cannot be combined with "clientSecret"/],
    [{ ...CLIENT, authenticationMethod: 'private_key_jwt' as const }, /"privateKey" is required with/],
    [
      { clientId: 'night-job', privateKey: {}, tokenEndpoint: 'https://login.example.com/tokens' },
      /"issuer" is required/,
    ],
  ])('is refused where it could not show it: %j (CLI-15)', (options, text) => {
    const create = () => new ClientCredentialsTokenSource({ serverUrl: scene.server.url, ...options });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(text);
  });
});

describe('A program with a key (RFC 7523 §2.2)', () => {
  const { privateKey: ecKey, publicKey: ecPublic } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const { privateKey: rsaKey, publicKey: rsaPublic } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { privateKey: edKey, publicKey: edPublic } = generateKeyPairSync('ed25519');

  const jwkOf = (key: typeof ecKey): JWK => key.export({ format: 'jwk' });
  const pemOf = (key: typeof ecKey, type: 'pkcs8' | 'sec1' | 'pkcs1' = 'pkcs8'): string =>
    key.export({ type: type, format: 'pem' }).toString();

  it.each([
    ['ES384', 'PEM', ecPublic, { privateKey: pemOf(ecKey) }],
    ['ES384', "OpenSSL's PEM", ecPublic, { privateKey: pemOf(ecKey, 'sec1') }],
    ['RS256', 'PEM', rsaPublic, { privateKey: pemOf(rsaKey) }],
    ['PS256', 'PEM', rsaPublic, { privateKey: pemOf(rsaKey, 'pkcs1'), signingAlgorithm: 'PS256' }],
    ['EdDSA', 'PEM', edPublic, { privateKey: pemOf(edKey) }],
    ['RS512', 'JWK', rsaPublic, { privateKey: { ...jwkOf(rsaKey), alg: 'RS512', kid: 'key-1' } }],
    ['ES384', 'JWK', ecPublic, { privateKey: { ...jwkOf(ecKey), kid: 'key-1' } }],
  ] as const)('signs by %s for the issuer, with a key as %s (CLI-15)', async (alg, _form, publicKey, key) => {
    await expect(get({ clientId: 'night-job', keyId: 'key-1', ...key })).resolves.toBe(200);
    const [form] = scene.issuer.forms;
    expect(form).toMatchObject({ client_assertion_type: ASSERTION_TYPE, client_id: 'night-job' });
    const keys = createLocalJWKSet({ keys: [{ ...jwkOf(publicKey), kid: 'key-1', alg }] });
    const { payload, protectedHeader } = await jwtVerify(form?.['client_assertion'] ?? '', keys, {
      issuer: 'night-job',
      subject: 'night-job',
      audience: scene.issuer.issuer,
      requiredClaims: ['jti', 'iat', 'exp'],
    });
    expect(protectedHeader).toMatchObject({ alg, kid: 'key-1' });
    expect(payload.aud).toBe(scene.issuer.issuer);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(60);
  });

  it('signs with a key that nobody can take out of the process (CLI-15)', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: false });
    expect(privateKey.extractable).toBe(false);
    await expect(get({ clientId: 'night-job', privateKey })).resolves.toBe(200);
  });

  it('signs each assertion anew (CLI-15)', async () => {
    const options = { clientId: 'night-job', privateKey: pemOf(ecKey) };
    await get(options);
    await get(options);
    expect(new Set(scene.issuer.forms.map(({ client_assertion: one }) => one)).size).toBe(2);
  });

  it.each([
    '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----',
    'secret',
    { kty: 'oct', k: 'c2VjcmV0' },
  ])('shows nothing of what is no key (CLI-15)', async (privateKey) => {
    const error = await get({ clientId: 'night-job', privateKey }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(/"privateKey" must be an asymmetric private key/);
    expect(String(error)).not.toMatch(/c2VjcmV0|secret/);
  });
});

describe('A program at a real authorization server', () => {
  let machines: MachineServer;

  afterEach(() => machines.stop());

  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'gets a token by %s (CLI-15)',
    async (method) => {
      machines = await MachineServer.start({
        resource: scene.server.url,
        client: { ...CLIENT, method },
      });
      machines.protect(scene.server);
      await expect(get({ ...CLIENT, authenticationMethod: method })).resolves.toBe(200);
    },
  );

  it('gets a token by private_key_jwt (CLI-15)', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), use: 'sig', alg: 'ES256', kid: 'job' };
    machines = await MachineServer.start({
      resource: scene.server.url,
      client: { clientId: 'night-job', method: 'private_key_jwt', keys: [jwk] },
    });
    machines.protect(scene.server);
    await expect(get({ clientId: 'night-job', privateKey })).resolves.toBe(200);
  });
});
