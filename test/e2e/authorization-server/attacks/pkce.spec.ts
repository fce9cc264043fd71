import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationClient } from '../../../support/authorization/authorization-client.js';
import { AuthorizationServerScene } from '../../../support/authorization/authorization-server-scene.js';
import { CookieBrowser } from '../../../support/authorization/cookie-browser.js';
import { expectError, type Attack, type Values } from './attack.js';

const REQUESTS: readonly Attack<Values>[] = [
  ['no challenge', 'RFC 9700 §2.1.1', { code_challenge: undefined, code_challenge_method: undefined }],
  ['a challenge without a method', 'RFC 7636 §4.3', { code_challenge_method: undefined }],
  ['the method plain', 'RFC 9700 §2.1.1', { code_challenge_method: 'plain' }],
  ['a method in lower case', 'RFC 7636 §4.3', { code_challenge_method: 's256' }],
  ['a method alone', 'RFC 7636 §4.3', { code_challenge: undefined }],
  ['a short challenge', 'RFC 7636 §4.2', { code_challenge: 'short' }],
  ['a challenge with other characters', 'RFC 7636 §4.2', { code_challenge: '!'.repeat(43) }],
  ['a challenge that is too long', 'RFC 7636 §4.2', { code_challenge: 'a'.repeat(129) }],
];

/** The challenge itself, as a client sends it that stole the request and not the verifier. */
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

const VERIFIERS: readonly Attack<(verifier: string) => string | undefined>[] = [
  ['none', 'RFC 9700 §4.8.2', () => undefined],
  ['an empty one', 'RFC 7636 §4.6', () => ''],
  ['another one', 'RFC 7636 §4.6', () => 'v'.repeat(43)],
  ['the challenge', 'RFC 7636 §7.2', challengeOf],
  ['a beginning of it', 'RFC 7636 §4.6', (verifier) => verifier.slice(0, -1)],
  ['it in upper case', 'RFC 7636 §4.6', (verifier) => verifier.toUpperCase()],
  ['a long one', 'RFC 7636 §4.1', () => 'v'.repeat(4000)],
];

describe('An attack on PKCE', () => {
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start();
    client = await AuthorizationClient.register(scene);
  });
  afterAll(() => scene.stop());

  it.each(REQUESTS)('is refused in a request: %s [%s] (AS-01)', async (_name, _source, changes) => {
    const asked = scene.upstream.exchanges.length;
    const { headers } = await new CookieBrowser().request(client.buildUrl(changes));
    const { searchParams } = new URL(String(headers.get('location')));
    expect(searchParams.get('error')).toBe('invalid_request');
    expect(searchParams.get('iss')).toBe(scene.issuer);
    expect(searchParams.has('code')).toBe(false);
    expect(scene.upstream.exchanges).toHaveLength(asked);
  });

  it.each(VERIFIERS)('is refused with a verifier: %s [%s] (AS-01)', async (_name, _source, choose) => {
    const code = (await client.authorize()).get('code');
    const answer = await client.redeem(code, { code_verifier: choose(client.verifier) });
    expectError(answer, answer.body['error'] === 'invalid_request' ? 'invalid_request' : 'invalid_grant');
  });
});
