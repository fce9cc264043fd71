import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readOwnPackage } from '../../../lib/core/package/own-package.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { sendHttp, type RawResponse } from '../../support/clients/raw-http.js';
import { BUILD_MS, buildPage, NAVIGATION } from '../../support/explorer/build-page.js';

beforeAll(buildPage, BUILD_MS);

/** Reads a policy as browsers do. */
function parsePolicy(policy: unknown): ReadonlyMap<string, readonly string[]> {
  const directives = String(policy)
    .split(';')
    .map((directive) => directive.trim().split(/\s+/));
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]));
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe.each(ADAPTERS)('The page of the explorer on %s', (adapter) => {
  let desk: RunningApp;
  let page: RawResponse;
  let policy: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: {
        auth: {
          resourceUri: 'http://127.0.0.1/mcp',
          authorizationServers: ['https://login.example.com/tenant', 'https://login.example.com/</script>'],
          jwt: {},
        },
      },
    });
    page = await sendHttp(desk.url, { headers: NAVIGATION });
    policy = parsePolicy(page.headers['content-security-policy']);
  });
  afterAll(() => desk.close());

  it('is kept by nobody, shown in no frame, and tells nobody where it was (WAY-02)', () => {
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      vary: 'Accept',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(page.headers['set-cookie']).toBeUndefined();
  });

  it('runs and loads nothing but what is in it (WAY-02)', () => {
    const scripts = Array.from(page.text.matchAll(/<script>([^]*?)<\/script>/g), ([, script = '']) => script);
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page.text) ?? [];
    expect(scripts.join('').length).toBeGreaterThan(100_000);
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('script-src')).toEqual(scripts.map(hash));
    expect(policy.get('style-src')).toEqual([hash(style)]);
    for (const name of ['base-uri', 'form-action', 'frame-ancestors'])
      expect(policy.get(name)).toEqual(["'none'"]);
    expect(page.headers['content-security-policy']).not.toMatch(/unsafe|\*/);
  });

  it('speaks with its server and the authorization servers alone (WAY-02)', () => {
    expect(policy.get('connect-src')).toEqual(["'self'", 'https://login.example.com']);
  });

  it('names nothing of its server in a way that a browser would run (WAY-02)', () => {
    const [, facts = ''] =
      /<script type="application\/json" id="facts">([^]*?)<\/script>/.exec(page.text) ?? [];
    expect(JSON.parse(facts)).toEqual({
      asksForToken: true,
      issuers: ['https://login.example.com/tenant', 'https://login.example.com/</script>'],
      isOfThisMachine: true,
      relaysLogin: true,
      version: readOwnPackage().version,
    });
  });

  it('has a frame for apps that is in no origin, for itself alone (WAY-02, XTN-02)', async () => {
    const asked = { ...NAVIGATION, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' };
    const get = (headers: OutgoingHttpHeaders) => sendHttp(`${desk.url}?explorer=app`, { headers });
    const frame = await get(asked);
    expect([frame.status, frame.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const own = parsePolicy(frame.headers['content-security-policy']);
    expect(own.get('sandbox')).toEqual(['allow-scripts', 'allow-forms']);
    expect(own.get('default-src')).toEqual(["'none'"]);
    expect(own.get('frame-ancestors')).toEqual(["'self'"]);
    expect(own.has('connect-src')).toBe(false);
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await get({ ...asked, 'sec-fetch-site': site });
      expect(answer.headers['content-type']).not.toContain('text/html');
    }
    expect((await get({ ...asked, host: 'rebound.example.com' })).status).toBe(403);
  });

  it('loads nothing from anywhere (WAY-02)', () => {
    const [head = ''] = page.text.split('<script>');
    expect(head).not.toMatch(/src=|url\(|@import|href="(?!data:|#)/);
  });
});
