import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthorizationClient, REDIRECT } from '../../../support/authorization/authorization-client.js';
import { AuthorizationServerScene } from '../../../support/authorization/authorization-server-scene.js';
import {
  CookieBrowser,
  type BrowserRequest,
  type Visit,
} from '../../../support/authorization/cookie-browser.js';
import { expectErrorPage, readContent, type Attack } from './attack.js';

const WEB = ['https://app.example.com/cb', 'https://app.example.com/other'] as const;
const SCRIPT = '<script>alert(document.domain)</script>';

/** Changes to the request that approves. */
type Change = (form: Readonly<Record<string, string>>) => BrowserRequest;

const FORGED: readonly Attack<Change>[] = [
  ['no form token', 'RFC 9700 §4.7', () => ({ form: { decision: 'allow' } })],
  ['an empty form token', 'RFC 9700 §4.7', (form) => ({ form: { ...form, form_token: '' } })],
  ['an invented form token', 'RFC 9700 §4.7', (form) => ({ form: { ...form, form_token: 'a'.repeat(43) } })],
  [
    'a form token in another case',
    'RFC 9700 §4.7',
    (form) => ({ form: { ...form, form_token: String(form['form_token']).toLowerCase() } }),
  ],
  [
    'a form token with more',
    'RFC 9700 §4.7',
    (form) => ({ form: { ...form, form_token: `${form['form_token']}a` } }),
  ],
  [
    'another origin',
    'MCP security best practices',
    (form) => ({ form, headers: { origin: 'https://evil.example' } }),
  ],
  ['another port', 'CWE-346', (form) => ({ form, headers: { origin: 'http://127.0.0.1:1' } })],
  ['a form of another site', 'CWE-352', (form) => ({ form, headers: { 'sec-fetch-site': 'cross-site' } })],
  ['a form of a subdomain', 'CWE-352', (form) => ({ form, headers: { 'sec-fetch-site': 'same-site' } })],
  [
    'a form in a sandbox of another site',
    'CWE-352',
    (form) => ({ form, headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } }),
  ],
];

const INJECTIONS: readonly Attack<object>[] = [
  ['a script as name', 'CWE-79', { client_name: SCRIPT }],
  ['an attribute as name', 'CWE-79', { client_name: '"><img src=x onerror=alert(1)>' }],
  ['an entity as name', 'CWE-79', { client_name: '&lt;script&gt;' }],
  ['a placeholder as name', 'CWE-134', { client_name: '{user}{provider}{address}<b>' }],
  ['a logo', 'CWE-918', { logo_uri: 'https://evil.example/pixel.png' }],
  ['links', 'CWE-79', { client_uri: 'https://evil.example/"><script>', tos_uri: 'https://evil.example/tos' }],
];

describe('An attack on consent', () => {
  let allowed: readonly string[];
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start({
      server: {
        maxRegistrationsPerAddress: 1000,
        grantScopes: () => allowed,
        consent: { css: 'b{}</style><script>alert(1)</script>' },
      },
    });
  });
  beforeEach(async () => {
    allowed = ['desk:read', 'desk:write'];
    client = await AuthorizationClient.register(scene);
  });
  afterAll(() => scene.stop());

  /** Runs something, and expects that the provider is asked nothing meanwhile. */
  async function withoutUpstream<Result>(work: () => Promise<Result>): Promise<Result> {
    const asked = scene.upstream.exchanges.length;
    const result = await work();
    expect(scene.upstream.exchanges).toHaveLength(asked);
    return result;
  }

  const readForm = ({ page }: Visit): Readonly<Record<string, string>> => ({
    form_token: /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '',
    decision: 'allow',
  });

  it.each(FORGED)('is refused: %s [%s] (AS-02)', (_name, _source, change) =>
    withoutUpstream(async () => {
      const page = await client.ask();
      expectErrorPage(await client.browser.request(page.url, change(readForm(page))), 403);
    }),
  );

  it('is refused: the form token of another interaction [RFC 9700 §4.7] (AS-02)', () =>
    withoutUpstream(async () => {
      const other = await new AuthorizationClient(scene).register({});
      client.clientId = String(other.body['client_id']);
      const foreign = readForm(await client.ask());
      const page = await client.ask();
      expectErrorPage(await client.browser.request(page.url, { form: foreign }), 403);
    }));

  it('is refused: a form that is too long [CWE-400] (AS-02)', () =>
    withoutUpstream(async () => {
      const page = await client.ask();
      const form = { ...readForm(page), more: 'a'.repeat(100_000) };
      expectErrorPage(await client.browser.request(page.url, { form }), 413);
    }));

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])(
    'is refused: an approval with %s [CWE-352] (AS-02)',
    (method) =>
      withoutUpstream(async () => {
        const page = await client.ask();
        const url = new URL(page.url);
        url.search = new URLSearchParams(readForm(page)).toString();
        const response = await fetch(url, {
          method,
          redirect: 'manual',
          headers: client.browser.headers(url),
        });
        expect({ status: response.status, location: response.headers.get('location') }).toEqual({
          status: 200,
          location: null,
        });
      }),
  );

  it('lets the style of the application end nowhere but at its end [CWE-79] (AS-02)', async () => {
    const { page } = await client.ask();
    expect(page.match(/<\/style/gi)).toHaveLength(1);
  });

  it('shows the page in no frame, without scripts and caches [RFC 9700 §4.16] (AS-02)', async () => {
    const { headers } = await client.ask();
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each(INJECTIONS)('adds nothing to the page: %s [%s] (AS-02)', async (_name, _source, metadata) => {
    const attacker = await AuthorizationClient.register(scene, metadata);
    const page = readContent(await attacker.ask());
    expect(page).toContain('<form method="post"');
    expect(page).not.toMatch(/<script|<img|<b>|onerror=alert\(1\)>|evil\.example/);
  });

  it.each([
    ['scope', { scope: `desk:read ${SCRIPT}` }],
    ['state', { state: SCRIPT }],
    ['a login hint', { login_hint: SCRIPT, ui_locales: SCRIPT }],
    ['resource', { resource: `https://evil.example/${SCRIPT}` }],
    ['client_id', { client_id: SCRIPT }],
    ['redirect_uri', { redirect_uri: SCRIPT }],
    ['prompt', { prompt: SCRIPT }],
  ])('adds nothing to a page: a script as %s [CWE-79] (AS-02)', async (_name, changes) => {
    const page = readContent(await client.browser.request(client.buildUrl(changes)));
    expect(page).not.toContain('<script');
    expect(page).not.toContain('onerror');
  });

  it.each([
    ['shows the name without characters that change the direction', 'Desk\u202Egro.live\u2066'],
    ['shows the name in one line', 'Desk\r\n\n\n\nYou are safe'],
    ['cuts a long name', 'Desk '.repeat(1000)],
  ])('%s [CWE-451] (AS-02)', async (_name, clientName) => {
    const attacker = await AuthorizationClient.register(scene, { client_name: clientName });
    const heading = /<h1>([\s\S]*?)<\/h1>/.exec((await attacker.ask()).page)?.[1] ?? '';
    expect(heading).toMatch(/^Desk/);
    expect(heading).not.toMatch(/[\u202A-\u202E\u2066-\u2069\r\n]/);
    expect(heading.length).toBeLessThan(300);
  });

  it('asks again for another client in the same browser [MCP security best practices, confused deputy] (AS-02)', async () => {
    await client.authorize();
    const attacker = new AuthorizationClient(scene, client.browser);
    const { body } = await attacker.register({ redirect_uris: ['https://evil.example/cb'] });
    attacker.clientId = String(body['client_id']);
    const page = await attacker.ask({ redirect_uri: 'https://evil.example/cb' });
    expect(page.page).toContain('https://evil.example');
    expect(page.headers.get('location')).toBeNull();
  });

  it('asks again for another redirect address of a client (AS-02)', async () => {
    const web = await AuthorizationClient.register(scene, { redirect_uris: WEB });
    await web.authorize({ redirect_uri: WEB[0] });
    const again = await web.ask({ redirect_uri: WEB[0] });
    expect(again.url.href.startsWith(WEB[0])).toBe(true);
    const other = await web.ask({ redirect_uri: WEB[1] });
    expect(other.page).toContain('<form');
  });

  it('asks again for a client on this machine, which others can imitate [RFC 8252 §8.6] (AS-02)', async () => {
    await client.authorize();
    expect((await client.ask()).page).toContain('<form');
  });

  it('asks again for more scopes [MCP authorization, step-up] (AS-02)', async () => {
    const web = await AuthorizationClient.register(scene, { redirect_uris: WEB });
    await web.authorize({ redirect_uri: WEB[0] });
    const more = await web.ask({ redirect_uri: WEB[0], scope: 'desk:read desk:write' });
    expect(more.page).toContain('Close tickets');
  });

  it('gives no code without a page: prompt=none [OpenID Connect Core §3.1.2.6] (AS-02)', async () => {
    const asked = await client.ask({ prompt: 'none' });
    expect(asked.url.searchParams.get('error')).toBe('login_required');
    await client.authorize();
    const again = await client.ask({ prompt: 'none' });
    expect(again.url.searchParams.get('error')).toMatch(/_required$/);
    expect(again.url.searchParams.has('code')).toBe(false);
  });

  it.each(['deny', 'allowed', '', 'ALLOW'])('takes the decision "%s" for a denial (AS-02)', (decision) =>
    withoutUpstream(async () => {
      const visit = await client.browser.send(await client.ask(), { decision }, REDIRECT);
      expect(visit.url.searchParams.get('error')).toBe('access_denied');
      expect(visit.url.searchParams.get('state')).toBe('state-of-the-client');
    }),
  );

  it('refuses a user with no scope (AS-02)', async () => {
    allowed = [];
    const parameters = await client.authorize();
    expect([parameters.get('error'), parameters.get('code')]).toEqual(['access_denied', null]);
  });

  it('grants no scope that the user may not grant (AS-02)', async () => {
    allowed = ['desk:read'];
    const code = (await client.authorize({ scope: 'desk:read desk:write' })).get('code');
    expect((await client.redeem(code)).body['scope']).toBe('desk:read');
  });

  it.each(['', '/finish'])('is refused: another browser at the interaction%s [CWE-384] (AS-02)', (step) =>
    withoutUpstream(async () => {
      const page = await client.ask();
      const form = readForm(page);
      const stranger = new CookieBrowser();
      expectErrorPage(await stranger.request(`${page.url.href}${step}`));
      expectErrorPage(await stranger.request(`${page.url.href}${step}`, { form }));
    }),
  );

  it('is refused: the cookie of an interaction at another one [CWE-384] (AS-02)', () =>
    withoutUpstream(async () => {
      const page = await client.ask();
      const { cookie } = client.browser.headers(page.url);
      const other = await AuthorizationClient.register(scene);
      const { url } = await other.ask();
      expectErrorPage(await new CookieBrowser().request(url, { form: readForm(page), headers: { cookie } }));
    }));

  it('is refused: to finish without a login [CWE-287] (AS-02)', () =>
    withoutUpstream(async () => {
      const page = await client.ask();
      expectErrorPage(await client.browser.request(`${page.url.href}/finish`));
    }));

  it('is refused: to resume without a decision [CWE-287] (AS-02)', () =>
    withoutUpstream(async () => {
      const page = await client.ask();
      const uid = page.url.pathname.split('/').at(-1);
      const visit = await client.browser.follow(`${scene.issuer}/authorize/${uid}`, REDIRECT);
      expect(visit.url.searchParams.has('code')).toBe(false);
      expect(visit.page).toContain('<form');
    }));
});
