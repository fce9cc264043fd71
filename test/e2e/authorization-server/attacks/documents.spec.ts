import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationClient } from '../../../support/authorization/authorization-client.js';
import { AuthorizationServerScene } from '../../../support/authorization/authorization-server-scene.js';
import { CookieBrowser } from '../../../support/authorization/cookie-browser.js';
import { expectError, expectErrorPage, type Attack } from './attack.js';

const SSRF = 'draft-ietf-oauth-client-id-metadata-document §6';

/** URLs of metadata documents; `{port}` is a port of this machine at which connections are counted. */
const CLIENT_IDS: readonly Attack<string>[] = [
  ['http', SSRF, 'http://client.example.com/client.json'],
  ['localhost', SSRF, 'https://localhost:{port}/client.json'],
  ['a subdomain of localhost', SSRF, 'https://a.localhost:{port}/client.json'],
  ['127.0.0.1', SSRF, 'https://127.0.0.1:{port}/client.json'],
  ['127.0.0.1 as a number', SSRF, 'https://2130706433:{port}/client.json'],
  ['127.0.0.1 as hexadecimal digits', SSRF, 'https://0x7f.1:{port}/client.json'],
  ['0.0.0.0', SSRF, 'https://0.0.0.0:{port}/client.json'],
  ['[::1]', SSRF, 'https://[::1]:{port}/client.json'],
  ['127.0.0.1 as IPv6', SSRF, 'https://[::ffff:127.0.0.1]:{port}/client.json'],
  ['127.0.0.1 as a translated address', SSRF, 'https://[64:ff9b::7f00:1]/client.json'],
  ['10.0.0.0/8', SSRF, 'https://10.0.0.1/client.json'],
  ['172.16.0.0/12', SSRF, 'https://172.16.0.1/client.json'],
  ['192.168.0.0/16', SSRF, 'https://192.168.0.1/client.json'],
  ['100.64.0.0/10', SSRF, 'https://100.64.0.1/client.json'],
  ['the metadata of a cloud', SSRF, 'https://169.254.169.254/latest/meta-data'],
  ['the services of a cloud', SSRF, 'https://168.63.129.16/client.json'],
  ['the metadata of a cloud, with a name', SSRF, 'https://metadata.google.internal/client.json'],
  ['a private network of IPv6', SSRF, 'https://[fd00::1]/client.json'],
  ['a name of a private network', SSRF, 'https://printer.local/client.json'],
  ['a path above', SSRF, 'https://1.1.1.1/a/../client.json'],
  ['an encoded path above', SSRF, 'https://1.1.1.1/a/%2e%2e/client.json'],
  ['a user name', SSRF, 'https://good.example.com@1.1.1.1/client.json'],
  ['a fragment', SSRF, 'https://1.1.1.1/client.json#x'],
  ['a backslash', SSRF, 'https://1.1.1.1\\client.json'],
  ['a line break', SSRF, 'https://1.1.1.1/\r\nclient.json'],
  ['no host', SSRF, 'https:///client.json'],
  ['a file', SSRF, 'file:///etc/passwd'],
  ['data', SSRF, 'data:application/json,{}'],
];

const readUrl = (input: string | URL | Request): string =>
  input instanceof Request ? input.url : new URL(input).href;

describe('An attack with the URL of a client document', () => {
  const { fetch } = globalThis;
  let scene: AuthorizationServerScene;
  let canary: Server;
  let connections = 0;
  let fetched: string[] = [];

  beforeAll(async () => {
    canary = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    scene = await AuthorizationServerScene.start({ server: { maxDocumentsPerAddress: 1000 } });
    globalThis.fetch = async (input, init) => {
      const url = readUrl(input);
      if (url.startsWith(scene.origin)) return fetch(input, init);
      fetched.push(url);
      return Response.json({ client_id: url, redirect_uris: ['https://evil.example/cb'] });
    };
  });
  afterAll(async () => {
    globalThis.fetch = fetch;
    canary.close();
    await scene.stop();
  });

  const fill = (url: string) => url.replace('{port}', String((canary.address() as AddressInfo).port));

  it('is seen by the test: a public address is fetched', async () => {
    const client = new AuthorizationClient(scene);
    client.clientId = 'https://1.1.1.1/client.json';
    const visit = await client.ask({ redirect_uri: 'https://evil.example/cb' });
    expect(visit.page).toContain('1.1.1.1');
    expect(fetched).toEqual(['https://1.1.1.1/client.json']);
  });

  it.each(CLIENT_IDS)('fetches nothing: %s [%s] (AS-01)', async (_name, _source, url) => {
    fetched = [];
    connections = 0;
    const client = new AuthorizationClient(scene);
    client.clientId = fill(url);
    expectErrorPage(await new CookieBrowser().request(client.buildUrl()));
    const answer = await client.redeem('code');
    expectError(answer, 'invalid_client', answer.status);
    expect([400, 401]).toContain(answer.status);
    expect({ fetched, connections, upstream: scene.upstream.exchanges }).toEqual({
      fetched: [],
      connections: 0,
      upstream: [],
    });
  });

  it.each<Attack<object>>([
    ['another client ID', SSRF, { client_id: 'https://good.example/client' }],
    ['a secret', SSRF, { client_secret: 'x' }],
    ['authentication with a secret', SSRF, { token_endpoint_auth_method: 'client_secret_basic' }],
    ['a script as address', 'CWE-79', { redirect_uris: ['javascript:alert(1)'] }],
    ['no address', SSRF, { redirect_uris: [] }],
    ['a number as address', 'CWE-20', { redirect_uris: [7] }],
    ['a list as name', 'CWE-20', { client_name: ['x'] }],
    ['an object as algorithm', 'CWE-20', { id_token_signed_response_alg: { toString: 'x' } }],
    [
      'pairwise subjects at an invalid address',
      'CWE-20',
      { subject_type: 'pairwise', redirect_uris: ['http://['] },
    ],
    ['a document that is too long', 'CWE-400', { client_name: 'a'.repeat(6000) }],
  ])('refuses a document: %s [%s] (AS-01)', async (name, _source, members) => {
    const scoped = globalThis.fetch;
    const clientId = `https://1.1.1.1/${encodeURIComponent(name)}`;
    globalThis.fetch = async (input, init) =>
      readUrl(input).startsWith(scene.origin)
        ? fetch(input, init)
        : Response.json({ client_id: clientId, redirect_uris: ['https://evil.example/cb'], ...members });
    const client = new AuthorizationClient(scene);
    client.clientId = clientId;
    const visit = await client.browser.request(client.buildUrl({ redirect_uri: 'https://evil.example/cb' }));
    globalThis.fetch = scoped;
    expectErrorPage(visit);
  });

  it('fetches no keys of a client from this machine [CWE-918] (AS-01)', async () => {
    fetched = [];
    connections = 0;
    const client = await AuthorizationClient.register(scene, {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: fill('https://127.0.0.1:{port}/jwks'),
    });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const { clientId: iss } = client;
    const claims = { iss, sub: iss, aud: scene.issuer, jti: 'x', iat: now, exp: now + 60 };
    const answer = await client.redeem('code', {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${part({ alg: 'ES256', kid: 'x' })}.${part(claims)}.${'A'.repeat(86)}`,
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect({ fetched, connections }).toEqual({ fetched: [], connections: 0 });
  });
});
