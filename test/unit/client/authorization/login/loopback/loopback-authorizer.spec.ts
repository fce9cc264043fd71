import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  assertLoopbackRedirect,
  buildIssuerRedirect,
  LoopbackAuthorizer,
  type LoopbackOptions,
} from '../../../../../../lib/client/authorization/login/loopback/loopback-authorizer.js';

const LOGIN = new URL('https://login.example.com/authorize?state=the-state');

let authorizer: LoopbackAuthorizer;

afterEach(() => authorizer.close());

async function listen(options: Partial<LoopbackOptions> = {}): Promise<string> {
  authorizer = await LoopbackAuthorizer.listen({
    redirectUri: 'http://127.0.0.1/callback',
    openBrowser: async () => undefined,
    present: () => undefined,
    timeoutMs: 5_000,
    ...options,
  });
  return authorizer.redirectUri;
}

interface Visit {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
}

/** Asks as anybody can who makes a browser, or a program, ask here. */
async function visit({ method = 'GET', path = '/callback?state=the-state&code=x', host }: Visit) {
  const place = new URL(authorizer.redirectUri);
  const asking = request({
    host: '127.0.0.1',
    port: place.port,
    method,
    path,
    headers: { host: host ?? place.host },
  });
  asking.end();
  const [response] = (await once(asking, 'response')) as [import('node:http').IncomingMessage];
  return { status: response.statusCode, headers: response.headers, page: await text(response) };
}

describe('The place on this machine that a browser comes back to (RFC 8252 §7.3)', () => {
  it('gives what the browser brings, and shows a page that says where to go on (CLI-09)', async () => {
    const redirectUri = await listen();
    const answer = authorizer.authorize(LOGIN);
    const { status, headers, page } = await visit({ path: '/callback?state=the-state&code=x%2Fy&iss=z' });
    expect((await answer).href).toBe(`${redirectUri}?state=the-state&code=x%2Fy&iss=z`);
    expect(status).toBe(200);
    expect(page).toContain('<h1>You are logged in</h1>');
    expect(page).toContain('go back to the program');
    expect(page).not.toContain('the-state');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'referrer-policy': 'no-referrer',
      connection: 'close',
    });
  });

  it('says so of a login that was refused, and repeats nothing of the answer (CLI-09)', async () => {
    await listen();
    const answer = authorizer.authorize(LOGIN);
    const { page } = await visit({ path: '/callback?state=the-state&error=access_denied' });
    expect((await answer).searchParams.get('error')).toBe('access_denied');
    expect(page).toContain('<h1>The login was refused</h1>');
    expect(page).not.toMatch(/logged in|access_denied/);
  });

  it.each([
    ['another path', { path: '/?state=the-state&code=x' }, 404],
    ['a path below', { path: '/callback/more?state=the-state&code=x' }, 404],
    ['another method', { method: 'POST' }, 404],
    ['a look ahead', { method: 'HEAD' }, 404],
    ['a name that somebody makes lead here', { host: 'evil.example.com' }, 404],
    ['the name of the machine', { host: 'localhost' }, 404],
    ['a whole URL of another place', { path: 'http://evil.example.com/callback?state=the-state' }, 404],
    ['a path that is none', { path: '//' }, 404],
    ['the state of another login', { path: '/callback?state=another&code=x' }, 400],
    ['no state', { path: '/callback?code=x' }, 400],
    ['an icon', { path: '/favicon.ico' }, 404],
  ])('goes on to wait after a request with %s (CLI-09)', async (_case, wrong, status) => {
    await listen();
    const answer = authorizer.authorize(LOGIN);
    expect((await visit(wrong)).status).toBe(status);
    expect((await visit({})).status).toBe(200);
    expect((await answer).searchParams.get('code')).toBe('x');
  });

  it('takes one answer only (CLI-09)', async () => {
    await listen();
    const answer = authorizer.authorize(LOGIN);
    await visit({});
    expect((await visit({ path: '/callback?state=the-state&code=other' })).status).toBe(400);
    expect((await answer).searchParams.get('code')).toBe('x');
  });

  it('takes nothing before a login has begun (CLI-09)', async () => {
    await listen();
    expect((await visit({})).status).toBe(400);
  });

  it('is not there any more when it is closed, with connections open or not (CLI-09)', async () => {
    const redirectUri = await listen();
    const { port } = new URL(redirectUri);
    const asking = request({ host: '127.0.0.1', port, headers: { host: 'a' } });
    asking.on('error', () => undefined).flushHeaders();
    await authorizer.close();
    await authorizer.close();
    await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
  });

  it('is at the port that is asked for, or an earlier one (CLI-09)', async () => {
    const earlier = await listen();
    await authorizer.close();
    expect(await listen({ redirectUri: earlier })).toBe(earlier);
    await authorizer.close();
    const earlierUris = ['http://127.0.0.1:1/other', 'nonsense', earlier];
    expect(await listen({ earlierUris })).toBe(earlier);
  });

  it('is at a free port where the earlier one is taken, and an error where it was asked for (CLI-09)', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = `http://127.0.0.1:${(other.address() as AddressInfo).port}/callback`;
    expect(await listen({ earlierUris: [taken] })).not.toBe(taken);
    await expect(LoopbackAuthorizer.listen({ ...NOTHING, redirectUri: taken })).rejects.toMatchObject({
      code: 'redirect_unavailable',
      redirectUri: taken,
    });
    other.close();
  });

  it('says when nobody came in time, or the login was given up (CLI-09)', async () => {
    await listen({ timeoutMs: 20 });
    await expect(authorizer.authorize(LOGIN)).rejects.toMatchObject({ code: 'login_timed_out' });
    await authorizer.close();
    await listen();
    await expect(authorizer.authorize(LOGIN, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  it('fails where nobody can be shown the address (CLI-09)', async () => {
    await listen({
      openBrowser: () => Promise.reject(new Error('none')),
      present: () => Promise.reject(new Error('no terminal')),
    });
    await expect(authorizer.authorize(LOGIN)).rejects.toThrow('no terminal');
  });
});

const NOTHING: LoopbackOptions = {
  redirectUri: '',
  openBrowser: async () => undefined,
  present: () => undefined,
  timeoutMs: 1,
};

describe('A place to come back to', () => {
  it.each([
    'https://127.0.0.1/callback',
    'http://0.0.0.0/callback',
    'http://app.example.com/callback',
    'http://127.0.0.1/callback?a=b',
    'http://127.0.0.1/callback#a',
    'http://ada@127.0.0.1/callback',
    'callback',
  ])('is never %s (CLI-09)', async (redirectUri) => {
    await listen();
    expect(() => assertLoopbackRedirect(redirectUri)).toThrow(/^The "redirectUri" must be an "http:" URL/);
  });
});

const PLACE = 'http://127.0.0.1:4711/callback';

describe('The place that an issuer sends users back to (RFC 9700 §4.4.2.2)', () => {
  it('is below that of all, and the same each time (CLI-09)', () => {
    const place = buildIssuerRedirect(PLACE, 'https://login.example.com');
    expect(place).toMatch(/^http:\/\/127\.0\.0\.1:4711\/callback\/[\w-]{22}$/);
    expect(buildIssuerRedirect(PLACE, 'https://login.example.com')).toBe(place);
  });

  it('is no other issuer’s, not even one that is spelt almost alike (CLI-09)', () => {
    const issuers = [
      'https://login.example.com',
      'https://login.example.com/',
      'https://LOGIN.example.com',
      '',
    ];
    expect(new Set(issuers.map((issuer) => buildIssuerRedirect(PLACE, issuer))).size).toBe(issuers.length);
  });

  it('is below a place with a slash at its end as well (CLI-09)', () => {
    expect(buildIssuerRedirect('http://127.0.0.1/', 'x')).toMatch(/^http:\/\/127\.0\.0\.1\/[\w-]{22}$/);
  });
});
