import type { OutgoingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RelayedResponse } from '../../../lib/core/explorer/page-contract.js';
import { ADAPTERS } from '../../support/applications/boot.js';
import { sendHttp, type RawRequest } from '../../support/clients/raw-http.js';
import { RelayScene } from '../../support/explorer/relay-scene.js';

const PROOF = 'eyJh.eyJi.c2ln';

describe.each(ADAPTERS)('The login of the page through its own server, on %s', (adapter) => {
  let scene: RelayScene;

  beforeEach(async () => {
    scene = await RelayScene.start({ adapter });
  });
  afterEach(() => scene.stop());

  it('gives the metadata, registers, and fetches tokens (WAY-02)', async () => {
    const { party } = scene;
    const metadata = await scene.ask({ issuer: party.origin, endpoint: 'metadata' });
    expect(JSON.parse((metadata.json as RelayedResponse).body)).toMatchObject({ issuer: party.origin });
    const registered = await scene.ask(scene.registration);
    expect(registered.json).toEqual({ status: 201, body: '{"client_id":"page"}' });
    const tokens = await scene.ask({ ...scene.exchange, dpop: PROOF, authorization: 'Basic YTpi' });
    expect(tokens.json).toMatchObject({ status: 200, body: expect.stringContaining('"given"') });
    const [sent] = party.requests.filter(({ path }) => path === '/token');
    expect(sent).toMatchObject({ method: 'POST', body: scene.exchange.body });
    expect(sent?.headers).toMatchObject({ dpop: PROOF, authorization: 'Basic YTpi' });
  });

  it('passes on what the authorization server refuses, and its nonce (WAY-02)', async () => {
    scene.party.at('/token', (response) => {
      response.writeHead(400, { 'dpop-nonce': 'next', 'content-type': 'text/html', 'set-cookie': 'a=b' });
      response.end('{"error":"use_dpop_nonce"}');
    });
    const answer = await scene.ask(scene.exchange);
    expect(answer.json).toEqual({ status: 400, body: '{"error":"use_dpop_nonce"}', dpopNonce: 'next' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('sends nothing that the browser sent along (WAY-02)', async () => {
    await scene.ask(scene.exchange, {
      cookie: 'session=secret',
      authorization: 'Bearer of-the-endpoint',
      referer: 'http://127.0.0.1/secret',
      'user-agent': 'Secret/1',
      'x-custom': 'secret',
    });
    const [sent] = scene.party.requests.filter(({ path }) => path === '/token');
    expect(JSON.stringify(sent?.headers)).not.toMatch(/secret|of-the-endpoint/i);
    expect(sent?.headers.origin).toBeUndefined();
  });

  it.each<[string, (given: RelayScene) => OutgoingHttpHeaders, RawRequest]>([
    [
      'a page of another site',
      () => ({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
      {},
    ],
    [
      'another port of this machine',
      () => ({ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }),
      {},
    ],
    ['an address that somebody typed', () => ({ 'sec-fetch-site': 'none' }), {}],
    ['a program that says nothing of itself', () => ({ 'sec-fetch-site': undefined }), {}],
    ['a form', () => ({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }), {}],
    ['a frame', () => ({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }), {}],
    ['a request that cannot be read', () => ({ 'sec-fetch-mode': 'no-cors' }), {}],
    ['a page without an origin', () => ({ origin: 'null' }), {}],
    ['nobody', () => ({ origin: undefined }), {}],
    ['another origin', () => ({ origin: 'https://evil.example' }), {}],
    [
      'another scheme of the origin',
      ({ desk }) => ({ origin: `ftp://evil@${new URL(desk.origin).host}x` }),
      {},
    ],
    ['another name that leads here', () => ({ host: 'evil.example', origin: 'http://evil.example' }), {}],
    ['a proxy', () => ({ 'x-forwarded-for': '203.0.113.7' }), {}],
    ['a client with a session', () => ({ 'mcp-session-id': 'x' }), {}],
    ['text', () => ({ 'content-type': 'text/plain' }), {}],
    ['a form of a page', () => ({ 'content-type': 'application/x-www-form-urlencoded' }), {}],
    ['JSON that is no JSON', () => ({ 'content-type': 'application/json-seq' }), {}],
    ['a compressed body', () => ({ 'content-encoding': 'gzip' }), {}],
    ['PUT', () => ({}), { method: 'PUT' }],
    ['GET', () => ({}), { method: 'GET' }],
    ['OPTIONS', () => ({ 'access-control-request-method': 'POST' }), { method: 'OPTIONS' }],
  ])('sends nothing for %s (WAY-02, HTTP-06)', async (_, headers, request) => {
    const given = Object.entries({ ...scene.headers, ...headers(scene) });
    const answer = await sendHttp(`${scene.desk.url}?explorer=login`, {
      json: { issuer: scene.party.origin, endpoint: 'metadata' },
      ...request,
      headers: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    });
    expect(answer.status).toBeGreaterThanOrEqual(answer.status === 204 ? 204 : 400);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(scene.party.paths).toEqual([]);
    // The way was open.
    expect((await scene.ask(scene.exchange)).status).toBe(200);
  });

  it.each([
    '/mcp/../mcp?explorer=login&a=b',
    '/mcp?a=b&explorer=login',
    '/mcp?explorer=login#x',
    '/mcp/login',
  ])('has no other address, such as "%s" (WAY-02)', async (target) => {
    const { origin } = scene.desk;
    const url = new URL(origin);
    const answer = await sendHttp(`${origin}${target}`, { json: scene.exchange, headers: scene.headers });
    // Without its fragment, which a client never sends, the third is the address itself.
    const isSame = new URL(target, url).search === '?explorer=login';
    expect(scene.reached).toEqual(isSame ? ['/token'] : []);
    expect(answer.status).toBe(isSame ? 200 : answer.status);
  });

  it.each<[string, (given: RelayScene) => unknown, number]>([
    ['no object', () => [], 400],
    ['another issuer', ({ exchange }) => ({ ...exchange, issuer: 'http://127.0.0.1:1' }), 403],
    ['an issuer with a path', ({ exchange }) => ({ ...exchange, issuer: `${exchange.issuer}/` }), 403],
    ['several issuers', ({ exchange }) => ({ ...exchange, issuer: [exchange.issuer] }), 403],
    ['another endpoint', ({ exchange }) => ({ ...exchange, endpoint: 'revocation' }), 403],
    ['a member of all objects', ({ exchange }) => ({ ...exchange, endpoint: 'constructor' }), 403],
    ['no URL', ({ exchange }) => ({ ...exchange, url: undefined }), 400],
    ['another URL', ({ exchange }) => ({ ...exchange, url: 'http://127.0.0.1:1/token' }), 409],
    ['a URL with a query', ({ exchange }) => ({ ...exchange, url: `${exchange.url}?a=b` }), 409],
    ['another grant', ({ exchange }) => ({ ...exchange, body: 'grant_type=client_credentials' }), 403],
    [
      'a password',
      ({ exchange }) => ({ ...exchange, body: 'grant_type=password&username=a&password=b' }),
      403,
    ],
    [
      'two grants',
      ({ exchange }) => ({ ...exchange, body: 'grant_type=refresh_token&grant_type=client_credentials' }),
      403,
    ],
    ['no grant', ({ exchange }) => ({ ...exchange, body: 7 }), 403],
    [
      'a code of another client',
      ({ exchange }) => ({ ...exchange, body: `${exchange.body}&redirect_uri=https://evil.example/` }),
      403,
    ],
    ['a bearer token', ({ exchange }) => ({ ...exchange, authorization: 'Bearer stolen' }), 400],
    [
      'two headers in one',
      ({ exchange }) => ({ ...exchange, authorization: 'Basic YTpi\r\nx-admin: 1' }),
      400,
    ],
    ['a proof that is none', ({ exchange }) => ({ ...exchange, dpop: `${PROOF}\r\nx-admin: 1` }), 400],
    ['several proofs', ({ exchange }) => ({ ...exchange, dpop: [PROOF, PROOF] }), 400],
    [
      'a client of somebody else',
      ({ registration }) => ({ ...registration, body: '{"redirect_uris":["https://evil.example/"]}' }),
      403,
    ],
    [
      'a client of two',
      ({ registration, desk }) => ({
        ...registration,
        body: JSON.stringify({ redirect_uris: [desk.url, 'https://evil.example/'] }),
      }),
      403,
    ],
    ['a client of nobody', ({ registration }) => ({ ...registration, body: '{"redirect_uris":[]}' }), 403],
    ['a registration that is no JSON', ({ registration }) => ({ ...registration, body: 'a=b' }), 403],
  ])('refuses %s (WAY-02)', async (_, build, status) => {
    const answer = await scene.ask(build(scene));
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ problem: expect.any(String) });
    expect(scene.reached).toEqual([]);
    expect((await scene.ask(scene.registration)).status).toBe(200);
  });

  it('passes on no header that a request names besides those two (WAY-02)', async () => {
    const more = { headers: { 'x-admin': '1' }, cookie: 'a=b', method: 'DELETE', host: 'evil.example' };
    await scene.ask({ ...scene.exchange, ...more });
    const [sent] = scene.party.requests.filter(({ path }) => path === '/token');
    expect(sent?.method).toBe('POST');
    expect(sent?.headers).not.toHaveProperty('x-admin');
    expect(sent?.headers).not.toHaveProperty('cookie');
    expect(sent?.headers.host).toBe(new URL(scene.party.origin).host);
  });
});
