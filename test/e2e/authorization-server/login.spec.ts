import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthorizationClient } from '../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  type Adapter,
} from '../../support/authorization/authorization-server-scene.js';

describe.each<Adapter>(['express', 'fastify'])(
  'A login through the authorization server on %s',
  (adapter) => {
    let scene: AuthorizationServerScene;

    beforeEach(async () => {
      scene = await AuthorizationServerScene.start({ adapter });
    });
    afterEach(() => scene.stop());

    it('lets a client register, log a person in upstream, and call (AS-01)', async () => {
      await expect(scene.call('whoAmI')).resolves.toBe('ada with desk:read');
      expect(scene.upstream.at('registration')).toEqual([]);
    });

    it('names the client, its address and what it may do before anything is asked upstream (AS-02)', async () => {
      scene.fields.decision = 'deny';
      await expect(scene.call('whoAmI')).rejects.toMatchObject({ code: 'login_refused' });
      expect(scene.upstream.exchanges).toEqual([]);
      const [page] = scene.browser.pages;
      expect(page).toContain('wants to use');
      expect(page).toContain('Read the tickets');
      expect(page).toContain('http://127.0.0.1:');
      scene.fields.decision = 'allow';
      await expect(scene.call('whoAmI')).resolves.toContain('ada');
    });

    it('steps up to what a tool needs, and keeps what was granted (AS-01)', async () => {
      const send = scene.createFetch();
      await scene.call('whoAmI', send);
      await expect(scene.call('close', send)).resolves.toBe('closed');
      expect(scene.browser.pages.at(-1)).toContain('Close tickets');
      await expect(scene.call('whoAmI', send)).resolves.toBe('ada with desk:read desk:write');
    });

    it('grants a client that requests no scope all that the user may grant (AS-01)', async () => {
      const client = await AuthorizationClient.register(scene);
      const answer = await client.authorize({ scope: undefined });
      const { body } = await client.redeem(answer.get('code'));
      expect(body['scope']).toBe('desk:read desk:write');
    });

    it('lists the scopes of its resources in both documents of its metadata (AS-01)', async () => {
      const paths = [
        '/.well-known/oauth-authorization-server/oauth',
        '/oauth/.well-known/openid-configuration',
      ];
      for (const path of paths) {
        const response = await fetch(scene.origin + path);
        const expected = ['desk:read', 'desk:write', 'openid', 'offline_access'];
        expect(await response.json()).toMatchObject({ issuer: scene.issuer, scopes_supported: expected });
      }
    });

    it('gives handlers the token of the provider, which clients never see', async () => {
      const token = await scene.call('upstreamToken');
      expect(token).not.toBe('none');
      const stored = JSON.stringify(
        await scene.store.get({ serverUrl: scene.resource, issuer: scene.issuer }),
      );
      expect(stored).not.toContain(token);
    });
  },
);
