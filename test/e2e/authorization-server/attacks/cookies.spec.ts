import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationClient } from '../../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
} from '../../../support/authorization/authorization-server-scene.js';

const HOST = 'https://desk.example.com';

describe('The cookies of an authorization server behind a proxy', () => {
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start({
      server: { issuer: `${HOST}/oauth`, resources: { [`${HOST}/mcp`]: CALLER_SCOPES } },
    });
    client = await AuthorizationClient.register({
      issuer: `${scene.origin}/oauth`,
      resource: `${HOST}/mcp`,
    });
  });
  afterAll(() => scene.stop());

  it('are sent over https alone, to no script, and not from other sites [RFC 6265bis §8.2] (AS-02)', async () => {
    const asked = await client.browser.request(client.buildUrl());
    const path = String(asked.headers.get('location'));
    expect(path).toMatch(/^\/oauth\/interaction\//);
    const page = await client.browser.request(`${scene.origin}${path}`);
    const token = /name="form_token" value="([^"]+)"/.exec(page.page)?.[1] ?? '';
    const form = { form_token: token, decision: 'allow' };
    const decided = await client.browser.request(page.url, { form, headers: { origin: HOST } });
    expect(decided.headers.get('location')).toContain(`redirect_uri=${encodeURIComponent(HOST)}`);
    const cookies = [asked, decided].flatMap(({ headers }) => headers.getSetCookie());
    expect(cookies.map((cookie) => cookie.split('=', 1)[0])).toContain('__Secure-mcp_login');
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; ?secure/i);
      expect(cookie).toMatch(/; ?httponly/i);
      expect(cookie).toMatch(/; ?samesite=lax/i);
      expect(cookie).toMatch(/; ?path=\/oauth/i);
      expect(cookie).not.toMatch(/; ?domain=/i);
    }
  });

  it('are refused with another value [CWE-565] (AS-02)', async () => {
    const { url } = await client.browser.follow(client.buildUrl(), 'http://127.0.0.1:49152');
    const uid = String(url.pathname.split('/').at(-1));
    for (const cookie of [
      `mcp_interaction=${uid}`,
      `mcp_interaction=${uid}; mcp_interaction.sig=${'A'.repeat(27)}`,
    ]) {
      const response = await fetch(url, { headers: { cookie, accept: 'text/html' } });
      expect(response.status).toBe(400);
    }
  });
});
