import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthorizationClient, REDIRECT } from '../../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
} from '../../../support/authorization/authorization-server-scene.js';
import { OpenStorage } from '../../../support/authorization/open-storage.js';
import { expectError, type Attack, type Values } from './attack.js';

/** Changes to a request that redeems a good code. */
const CHANGES: readonly Attack<(code: string) => Values>[] = [
  ['another redirect address', 'RFC 6749 §4.1.3', () => ({ redirect_uri: 'http://127.0.0.1:1/callback' })],
  ['an address of the attacker', 'RFC 6749 §10.6', () => ({ redirect_uri: 'https://evil.example/cb' })],
  ['a changed code', 'RFC 6749 §10.10', (code) => ({ code: `${code.slice(0, -2)}AA` })],
  ['a code with more', 'RFC 6749 §10.10', (code) => ({ code: `${code}A` })],
  ['a code without its end', 'RFC 6749 §10.10', (code) => ({ code: code.slice(0, -1) })],
  ['a code in lower case', 'RFC 6749 §10.10', (code) => ({ code: code.toLowerCase() })],
  ['a prototype', 'CWE-1321', () => ({ code: '__proto__' })],
  ['a long code', 'CWE-400', () => ({ code: 'a'.repeat(50_000) })],
  ['another resource', 'RFC 8707 §2.2', () => ({ resource: 'https://evil.example/mcp' })],
];

describe('An attack on codes', () => {
  const storage = new OpenStorage();
  let scene: AuthorizationServerScene;
  let second: AuthorizationServerScene;
  let client: AuthorizationClient;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start({ server: { storage, maxRegistrationsPerAddress: 1000 } });
    // A second process of the same server, with the storage in common.
    second = await AuthorizationServerScene.start({
      server: { storage, issuer: scene.issuer, resources: { [scene.resource]: CALLER_SCOPES } },
    });
  });
  beforeEach(async () => {
    client = await AuthorizationClient.register(scene);
  });
  afterAll(() => Promise.all([scene.stop(), second.stop()]));

  const getCode = async (of = client): Promise<string> => String((await of.authorize()).get('code'));

  it.each(CHANGES)('is refused: %s [%s] (AS-02)', async (_name, _source, change) => {
    const code = await getCode();
    const answer = await client.redeem(code, change(code));
    expectError(answer, 'resource' in change(code) ? 'invalid_target' : 'invalid_grant');
  });

  it('is refused: the code of another client [RFC 6749 §4.1.3] (AS-02)', async () => {
    const attacker = await AuthorizationClient.register(scene);
    const answer = await attacker.redeem(await getCode(), { code_verifier: client.verifier });
    expectError(answer, 'invalid_grant');
  });

  it('is refused: a code in the login of another person [RFC 9700 §4.5] (AS-02)', async () => {
    const victim = new AuthorizationClient(scene);
    victim.clientId = client.clientId;
    expectError(await victim.redeem(await getCode()), 'invalid_grant');
  });

  it('is refused: a code once more, and its tokens with it [RFC 6749 §4.1.2] (AS-02)', async () => {
    const code = await getCode();
    const tokens = await client.redeem(code);
    expect(tokens.status).toBe(200);
    expectError(await client.redeem(code), 'invalid_grant');
    expectError(await client.refresh(tokens.body['refresh_token']), 'invalid_grant');
  });

  it('is refused: a code once more after a refresh [RFC 6749 §4.1.2] (AS-02)', async () => {
    const code = await getCode();
    const tokens = await client.redeem(code);
    const refreshed = await client.refresh(tokens.body['refresh_token']);
    expectError(await client.redeem(code), 'invalid_grant');
    expectError(await client.refresh(refreshed.body['refresh_token']), 'invalid_grant');
  });

  it('leaves the person able to log in again after a theft (AS-02)', async () => {
    const code = await getCode();
    await client.redeem(code);
    await client.redeem(code);
    const tokens = await client.redeem(await getCode());
    expect(tokens.status).toBe(200);
    expect((await client.call(tokens.body['access_token'])).status).toBe(200);
  });

  it.each(['one process', 'two processes'])(
    'gives tokens once: a code twice at the same moment, at %s [RFC 9700 §4.5] (AS-03)',
    async (place) => {
      const code = await getCode();
      const other = new AuthorizationClient(
        place === 'one process' ? scene : { issuer: `${second.origin}/oauth`, resource: scene.resource },
      );
      other.clientId = client.clientId;
      const form = { code_verifier: client.verifier };
      const answers = await Promise.all([client, other, client, other].map((one) => one.redeem(code, form)));
      const [winner, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      expectError(await client.refresh(winner?.body['refresh_token']), 'invalid_grant');
    },
  );

  it.each(['one process', 'two processes'])(
    'gives tokens once: a refresh token twice at the same moment, at %s [RFC 9700 §4.14.2] (AS-03)',
    async (place) => {
      const { body } = await client.redeem(await getCode());
      const other = new AuthorizationClient(
        place === 'one process' ? scene : { issuer: `${second.origin}/oauth`, resource: scene.resource },
      );
      other.clientId = client.clientId;
      const answers = await Promise.all([client, other].map((one) => one.refresh(body['refresh_token'])));
      const [winner, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      expectError(await client.refresh(winner?.body['refresh_token']), 'invalid_grant');
    },
  );

  it('is accepted at another process of the server (AS-03)', async () => {
    const other = new AuthorizationClient({ issuer: `${second.origin}/oauth`, resource: scene.resource });
    other.clientId = client.clientId;
    const answer = await other.redeem(await getCode(), { code_verifier: client.verifier });
    expect(answer.status).toBe(200);
  });

  it('names the issuer beside the code [RFC 9207] (AS-02)', async () => {
    const parameters = await client.authorize();
    expect(Object.fromEntries(parameters)).toEqual({
      code: expect.any(String),
      state: 'state-of-the-client',
      iss: scene.issuer,
    });
    expect(client.buildUrl()).toContain(encodeURIComponent(REDIRECT));
  });
});
