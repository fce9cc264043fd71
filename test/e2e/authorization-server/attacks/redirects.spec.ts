import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationClient, REDIRECT } from '../../../support/authorization/authorization-client.js';
import { AuthorizationServerScene } from '../../../support/authorization/authorization-server-scene.js';
import { CookieBrowser } from '../../../support/authorization/cookie-browser.js';
import { expectError, expectErrorPage, type Attack } from './attack.js';

const WEB = 'https://app.example.com/cb';

/** Addresses that differ from the registered `https` address. */
const OF_WEB_CLIENT: readonly Attack<string>[] = [
  ['another host', 'RFC 9700 §4.1.1', 'https://evil.example/cb'],
  ['another path', 'RFC 9700 §4.1.3', 'https://app.example.com/cb2'],
  ['a path below', 'RFC 9700 §4.1.3', `${WEB}/more`],
  ['a slash at the end', 'RFC 9700 §4.1.3', `${WEB}/`],
  ['a path above', 'RFC 9700 §4.1.3', `${WEB}/../evil`],
  ['an encoded path above', 'RFC 9700 §4.1.3', `${WEB}/%2e%2e/evil`],
  ['an encoded slash', 'RFC 9700 §4.1.3', `${WEB}%2fevil`],
  ['two slashes', 'RFC 9700 §4.1.3', 'https://app.example.com//cb'],
  ['a query', 'RFC 9700 §4.1.1', `${WEB}?next=https://evil.example`],
  ['a fragment', 'RFC 6749 §3.1.2', `${WEB}#evil`],
  ['a path in upper case', 'RFC 3986 §6.2.1', 'https://app.example.com/CB'],
  ['a host in upper case', 'RFC 3986 §6.2.1', 'https://APP.example.com/cb'],
  ['a subdomain', 'RFC 9700 §4.1.1', 'https://evil.app.example.com/cb'],
  ['a host with another end', 'RFC 9700 §4.1.1', 'https://app.example.com.evil.example/cb'],
  ['a host with a dot at the end', 'RFC 9700 §4.1.3', 'https://app.example.com./cb'],
  ['the host as a user name', 'RFC 9700 §4.1.3', 'https://app.example.com@evil.example/cb'],
  ['a user name', 'RFC 9700 §4.1.3', 'https://evil@app.example.com/cb'],
  ['another port', 'RFC 9700 §4.1.3', 'https://app.example.com:8443/cb'],
  ['the port that is implied', 'RFC 9700 §4.1.3', 'https://app.example.com:443/cb'],
  ['http', 'RFC 9700 §2.6', 'http://app.example.com/cb'],
  ['a backslash', 'RFC 9700 §4.1.3', 'https://app.example.com\\@evil.example/cb'],
  ['a line break', 'RFC 9700 §4.1.3', `${WEB}\r\nlocation: https://evil.example`],
  ['a null character', 'RFC 9700 §4.1.3', `${WEB}\0`],
  ['a space at the end', 'RFC 9700 §4.1.3', `${WEB} `],
  ['a pattern', 'RFC 9700 §4.1.1', 'https://*.example.com/cb'],
  ['two addresses', 'RFC 9700 §4.1.3', `${WEB} https://evil.example/cb`],
  ['no host', 'RFC 9700 §4.1.3', '//evil.example/cb'],
  ['a script', 'RFC 9700 §4.1.3', 'javascript:alert(1)'],
];

/** Addresses that differ from the registered loopback address in more than the port. */
const OF_NATIVE_CLIENT: readonly Attack<string>[] = [
  ['localhost in place of 127.0.0.1', 'RFC 8252 §8.3', 'http://localhost:49152/callback'],
  ['[::1] in place of 127.0.0.1', 'RFC 8252 §7.3', 'http://[::1]:49152/callback'],
  ['another loopback address', 'RFC 8252 §7.3', 'http://127.0.0.2:49152/callback'],
  ['127.0.0.1 as a number', 'RFC 8252 §7.3', 'http://2130706433:49152/callback'],
  ['127.0.0.1 in short', 'RFC 8252 §7.3', 'http://127.1:49152/callback'],
  ['https', 'RFC 8252 §7.3', 'https://127.0.0.1:49152/callback'],
  ['another port and another path', 'RFC 8252 §7.3', 'http://127.0.0.1:50000/other'],
  ['another port and a query', 'RFC 8252 §7.3', 'http://127.0.0.1:50000/callback?evil=1'],
  ['a port that does not exist', 'RFC 8252 §7.3', 'http://127.0.0.1:99999/callback'],
  ['a user name', 'RFC 9700 §4.1.3', 'http://evil@127.0.0.1:50000/callback'],
  ['the address as a user name', 'RFC 9700 §4.1.3', 'http://127.0.0.1:49152@evil.example/callback'],
  ['the address as a subdomain', 'RFC 9700 §4.1.3', 'http://127.0.0.1.evil.example:49152/callback'],
];

/** Addresses at which others than the client could read a code. */
const UNREGISTRABLE: readonly Attack<string>[] = [
  ['http beyond this machine', 'MCP authorization, communication security', 'http://app.example.com/cb'],
  ['http at a host that begins like this machine', 'RFC 8252 §7.3', 'http://127.0.0.1.evil.example/cb'],
  ['javascript', 'GHSA-open-redirect class, CWE-79', 'javascript:alert(document.domain)'],
  ['javascript in upper case', 'CWE-79', 'JavaScript:alert(1)'],
  ['javascript with a tab', 'CWE-79', 'java\tscript:alert(1)'],
  ['javascript after a space', 'CWE-79', ' javascript:alert(1)'],
  ['data', 'CWE-79', 'data:text/html,<script>alert(1)</script>'],
  ['vbscript', 'CWE-79', 'vbscript:msgbox(1)'],
  ['file', 'CWE-73', 'file:///etc/passwd'],
  ['blob', 'CWE-79', 'blob:https://app.example.com/1'],
  ['about', 'CWE-79', 'about:blank'],
  ['ftp', 'RFC 8252 §7.1', 'ftp://evil.example/cb'],
  ['ws', 'RFC 8252 §7.1', 'ws://evil.example/cb'],
  ['wss', 'RFC 8252 §7.1', 'wss://evil.example/cb'],
  ['mailto', 'RFC 8252 §8.6', 'mailto:evil@example.com'],
  ['intent', 'RFC 8252 §8.6', 'intent://cb#Intent;scheme=https;end'],
  ['view-source', 'RFC 8252 §8.6', 'view-source:https://evil.example'],
  ['a protocol of Windows', 'CVE-2022-30190', 'ms-msdt:/id PCWDiagnostic'],
  ['a search of Windows', 'CVE-2022-30190', 'search-ms:query=evil'],
  ['an archive', 'CWE-79', 'jar:https://evil.example!/x'],
  ['a fragment', 'RFC 6749 §3.1.2', `${WEB}#x`],
  ['an empty fragment', 'RFC 6749 §3.1.2', `${WEB}#`],
  ['a user name', 'RFC 9700 §4.1.3', 'https://app.example.com@evil.example/cb'],
  ['a backslash', 'RFC 9700 §4.1.3', 'https://evil.example\\@app.example.com/cb'],
  ['a line break', 'RFC 9700 §4.1.3', 'https://evil.example/\ncb'],
  ['no scheme', 'RFC 7591 §2', '//evil.example/cb'],
  ['a path alone', 'RFC 7591 §2', '/cb'],
  ['an empty string', 'RFC 7591 §2', ''],
];

describe('An attack on redirect addresses', () => {
  let scene: AuthorizationServerScene;
  let web: AuthorizationClient;
  let native: AuthorizationClient;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start({ server: { maxRegistrationsPerAddress: 1000 } });
    web = await AuthorizationClient.register(scene, { redirect_uris: [WEB] });
    native = await AuthorizationClient.register(scene);
  });
  afterAll(() => scene.stop());

  const visit = async (client: AuthorizationClient, redirectUri: string) =>
    new CookieBrowser().request(client.buildUrl({ redirect_uri: redirectUri }));

  it.each(OF_WEB_CLIENT)('is refused with a page: %s [%s] (AS-02)', async (_name, _source, redirectUri) => {
    expectErrorPage(await visit(web, redirectUri));
    expect(scene.upstream.exchanges).toEqual([]);
  });

  it.each(OF_NATIVE_CLIENT)(
    'is refused with a page at a loopback client: %s [%s] (AS-02)',
    async (_name, _source, redirectUri) => {
      expectErrorPage(await visit(native, redirectUri));
      expect(scene.upstream.exchanges).toEqual([]);
    },
  );

  it.each(['http://127.0.0.1:50000/callback', 'http://127.0.0.1/callback', REDIRECT])(
    'leaves the port of a loopback client open: %s [RFC 8252 §7.3] (AS-01)',
    async (redirectUri) => {
      const { status, headers } = await visit(native, redirectUri);
      expect({ status, location: headers.get('location') }).toEqual({
        status: 303,
        location: expect.stringContaining('/oauth/interaction/'),
      });
    },
  );

  it.each<Attack<Readonly<Record<string, string>>>>([
    ['a wrong response type', 'RFC 9700 §4.11.2', { response_type: 'token' }],
    ['a wrong scope', 'RFC 9700 §4.11.2', { scope: '"' }],
    ['a wrong resource', 'RFC 9700 §4.11.2', { resource: 'https://evil.example' }],
    ['no login', 'RFC 9700 §4.11.2', { prompt: 'none' }],
    ['no login, in a form', 'RFC 9700 §4.11.2', { prompt: 'none', response_mode: 'form_post' }],
    ['a wrong challenge', 'RFC 9700 §4.11.2', { code_challenge: 'x' }],
  ])(
    'sends nobody to an address that anyone can register: %s [%s] (AS-02)',
    async (_name, _source, changes) => {
      expectErrorPage(await new CookieBrowser().request(web.buildUrl({ ...changes, redirect_uri: WEB })));
    },
  );

  it.each(UNREGISTRABLE)('cannot be registered: %s [%s] (AS-02)', async (_name, _source, redirectUri) => {
    const answer = await native.register({ redirect_uris: [redirectUri] });
    expectError(answer, 'invalid_redirect_uri');
  });

  it.each(UNREGISTRABLE)(
    'cannot be registered beside a good one: %s [%s] (AS-02)',
    async (_name, _source, redirectUri) => {
      const answer = await native.register({ redirect_uris: [REDIRECT, redirectUri] });
      expectError(answer, 'invalid_redirect_uri');
    },
  );
});
