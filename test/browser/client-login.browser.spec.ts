import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { LoginScene } from '../support/authorization/login-scene.js';
import { json, Party } from '../support/authorization/party.js';
import { until } from '../support/until.js';
import { launchChromium } from './chromium.js';
import { logIn, welcomePerson } from './provider-pages.js';

const PATIENCE_MS = 60_000;

let browser: Browser;
let person: BrowserContext;
let scene: LoginScene;
/** The last pages of the logins, as their users read them. */
let ends: string[];
let openBrowser: (address: string) => Promise<void>;

beforeAll(async () => {
  browser = await launchChromium();
}, PATIENCE_MS);
afterAll(() => browser?.close());

beforeEach(async () => {
  person = await welcomePerson(browser);
  ends = [];
  openBrowser = async (address) => void ends.push(await logIn(person, address));
}, PATIENCE_MS);
afterEach(async () => {
  await person.close();
  await scene.stop();
});

describe('A person with Chromium at the pages of oidc-provider', () => {
  it(
    'logs in for a client that registers itself, and is told to go back to it (CLI-06) (CLI-09)',
    async () => {
      scene = await LoginScene.start({ showsPages: true });
      const response = await scene.createFetch({ openBrowser })(scene.server.url);
      expect(response.status).toBe(200);
      expect(scene.login.at('registration')).toHaveLength(1);
      await until(() => ends.length > 0, 'the last page', PATIENCE_MS);
      expect(ends).toEqual([expect.stringContaining('go back to the program')]);
    },
    PATIENCE_MS,
  );

  it(
    'logs in for a client that a document describes (CLI-06)',
    async () => {
      scene = await LoginScene.start({ showsPages: true });
      const publisher = await Party.start('https');
      const clientMetadataUrl = `${publisher.origin}/client.json`;
      const document = {
        client_id: clientMetadataUrl,
        client_name: 'Documented',
        redirect_uris: ['http://127.0.0.1/callback'],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
      };
      publisher.at('/client.json', json(document));
      const response = await scene.createFetch({ openBrowser, clientMetadataUrl })(scene.server.url);
      await publisher.stop();
      expect(response.status).toBe(200);
      expect(scene.login.at('token')[0]?.parameters['client_id']).toBe(clientMetadataUrl);
      expect(scene.login.at('registration')).toEqual([]);
      expect(publisher.paths).toEqual(['/client.json']);
    },
    PATIENCE_MS,
  );

  it(
    'logs in once, while tokens end and are renewed by refresh tokens that change (CLI-14)',
    async () => {
      scene = await LoginScene.start({ showsPages: true, accessTokenSeconds: 4 });
      const call = scene.createFetch({ openBrowser });
      await call(scene.server.url);
      const first = (await scene.kept())?.tokens?.refreshToken;
      const renewed = async () => (await call(scene.server.url)).ok && scene.login.grants.length >= 3;
      await until(renewed, 'two refreshes', PATIENCE_MS);
      expect(scene.login.grants.slice(0, 3)).toEqual([
        'authorization_code',
        ...Array(2).fill('refresh_token'),
      ]);
      const [, one, two] = scene.login.at('token').map(({ parameters }) => parameters['refresh_token']);
      expect(one).toBe(first);
      expect(two).not.toBe(one);
      expect(ends).toHaveLength(1);
    },
    PATIENCE_MS,
  );

  it(
    'logs in again when the grant was ended, without a password (CLI-14)',
    async () => {
      scene = await LoginScene.start({ showsPages: true });
      const call = scene.createFetch({ openBrowser });
      await call(scene.server.url);
      scene.login.endGrants();
      expect((await call(scene.server.url)).status).toBe(200);
      expect(scene.login.grants).toEqual(['authorization_code', 'refresh_token!', 'authorization_code']);
    },
    PATIENCE_MS,
  );

  it(
    'consents again when a call needs more, to all of it (CLI-11)',
    async () => {
      scene = await LoginScene.start({ showsPages: true });
      const call = scene.createFetch({ openBrowser });
      await call(scene.server.url);
      expect((await call(`${scene.server.url}/write`)).status).toBe(200);
      const asked = scene.login.at('authorization').map(({ parameters }) => parameters['scope']);
      expect(asked.at(-1)).toBe('desk:read desk:write offline_access');
    },
    PATIENCE_MS,
  );

  it(
    'logs in elsewhere when the server trusts another authorization server, which hears nothing of the first (CLI-06)',
    async () => {
      scene = await LoginScene.start({ showsPages: true });
      const call = scene.createFetch({ openBrowser });
      await call(scene.server.url);
      const { registration, tokens } = (await scene.kept())!;
      const second = await scene.move({ showsPages: true });
      expect((await call(scene.server.url)).status).toBe(200);
      const told = JSON.stringify(second.exchanges);
      for (const secret of [registration!.clientId, tokens!.accessToken, tokens!.refreshToken!]) {
        expect(told).not.toContain(secret);
      }
      expect(second.grants).toEqual(['authorization_code']);
    },
    PATIENCE_MS,
  );
});
