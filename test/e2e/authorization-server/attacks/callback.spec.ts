import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationClient, REDIRECT } from '../../../support/authorization/authorization-client.js';
import { AuthorizationServerScene } from '../../../support/authorization/authorization-server-scene.js';
import { CookieBrowser, type Visit } from '../../../support/authorization/cookie-browser.js';
import { HostileProvider, type Misdeed } from '../../../support/authorization/hostile-provider.js';
import { formatToken, signToken } from '../../../support/authorization/issuer-key.js';
import { expectErrorPage, type Attack } from './attack.js';

const SECRET_AT_UPSTREAM = Buffer.from('the-secret-of-the-desk-at-upstream');

/** What a provider does that an attacker controls, or that is broken. */
const MISDEEDS: readonly Attack<Misdeed>[] = [
  ['an ID token with another nonce', 'OpenID Connect Core §3.1.3.7', { claims: { nonce: 'other' } }],
  ['an ID token without a nonce', 'RFC 9700 §4.5.3.2', { claims: { nonce: undefined } }],
  ['an ID token for another client', 'OpenID Connect Core §3.1.3.7', { claims: { aud: 'other' } }],
  [
    'an ID token for several clients',
    'OpenID Connect Core §3.1.3.7',
    { claims: { aud: ['other', 'desk-at-upstream'], azp: 'other' } },
  ],
  ['an ID token of another issuer', 'RFC 9700 §4.4', { claims: { iss: 'https://evil.example' } }],
  ['an expired ID token', 'OpenID Connect Core §3.1.3.7', { claims: { exp: 1 } }],
  ['an ID token without a subject', 'OpenID Connect Core §2', { claims: { sub: undefined } }],
  ['an ID token whose subject is a number', 'OpenID Connect Core §2', { claims: { sub: 7 } }],
  ['an empty subject', 'OpenID Connect Core §2', { claims: { sub: '' } }],
  [
    'an unsigned ID token',
    'RFC 8725 §3.1',
    { sign: async (parts) => formatToken({ ...parts, header: { alg: 'none' } }) },
  ],
  [
    'an ID token signed with the secret of the client',
    'RFC 8725 §3.1',
    { sign: (parts) => signToken({ ...parts, header: { alg: 'HS256' } }, SECRET_AT_UPSTREAM) },
  ],
  ['no ID token', 'OpenID Connect Core §3.1.3.3', { tokens: { id_token: undefined } }],
  ['an ID token that is no JWT', 'OpenID Connect Core §2', { tokens: { id_token: 'x' } }],
  ['no access token', 'RFC 6749 §5.1', { tokens: { access_token: undefined } }],
  ['a token of another type', 'RFC 6749 §5.1', { tokens: { token_type: 'mac' } }],
  ['another issuer at the way back', 'RFC 9207 §2.4', { callback: { iss: 'https://evil.example' } }],
  ['no issuer at the way back', 'RFC 9207 §2.4', { callback: { iss: undefined } }],
  ['no code', 'RFC 6749 §4.1.2', { callback: { code: undefined } }],
  [
    'an error with HTML',
    'CWE-79',
    { callback: { code: undefined, error: '<script>alert(1)</script>', error_description: '<script>' } },
  ],
  [
    'status 500',
    'RFC 6749 §5.2',
    { respond: (response) => void response.writeHead(500).end('a stack of the provider') },
  ],
  [
    'a page in place of tokens',
    'CWE-79',
    {
      respond: (response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
    },
  ],
  [
    'a redirect in place of tokens',
    'CWE-918',
    { respond: (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end() },
  ],
  [
    'tokens without end',
    'CWE-400',
    {
      respond: (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`{"access_token":"${'a'.repeat(2 * 1024 * 1024)}"}`);
      },
    },
  ],
  ['a closed connection', 'CWE-703', { respond: (response) => void response.destroy() }],
];

/** What arrives at the callback without a login of this browser. */
const CALLBACKS: readonly Attack<string>[] = [
  ['nothing', 'RFC 9700 §4.7', ''],
  ['an unknown state', 'RFC 9700 §4.7', '?code=x&state=unknown'],
  ['an empty state', 'RFC 9700 §4.7', '?code=x&state='],
  ['the name of a prototype', 'CWE-1321', '?code=x&state=__proto__'],
  ['a long state', 'CWE-400', `?code=x&state=${'s'.repeat(8000)}`],
  ['an error without a login', 'RFC 9700 §4.11', '?error=access_denied&state=unknown'],
  ['malformed escapes', 'CWE-20', '?code=%ff%&state=%00'],
];

describe('An attack on the way back from the provider', () => {
  let provider: HostileProvider;
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;
  let silent: Promise<Visit>;

  beforeAll(async () => {
    provider = await HostileProvider.start();
    scene = await AuthorizationServerScene.start({
      server: {
        upstream: {
          issuer: provider.issuer,
          clientId: 'desk-at-upstream',
          clientSecret: String(SECRET_AT_UPSTREAM),
        },
      },
    });
    client = await AuthorizationClient.register(scene);
    // Nothing comes for ten seconds, which the other tests take.
    const { started, ended } = logIn({ respond: () => undefined });
    silent = ended;
    await started;
  });
  afterAll(async () => {
    await scene.stop();
    await provider.stop();
  });

  it('is made against a login that works otherwise', async () => {
    expect((await logIn({}).ended).url.searchParams.get('code')).toEqual(expect.any(String));
  });

  it.each(MISDEEDS)('is refused: %s [%s] (AS-02)', async (_name, _source, misdeed) => {
    const browser = new CookieBrowser();
    const visit = await logIn(misdeed, browser).ended;
    expectErrorPage(visit, 502);
    expect(visit.page).not.toContain('The provider');
    expect(visit.page).not.toContain('token-of-upstream');
  });

  it('tells the client that the person denied the login (AS-02)', async () => {
    const { url } = await logIn({ callback: { code: undefined, error: 'access_denied' } }).ended;
    expect(url.href.startsWith(REDIRECT)).toBe(true);
    expect(url.searchParams.get('error')).toBe('access_denied');
  });

  it.each(CALLBACKS)('is refused at the callback: %s [%s] (AS-02)', async (_name, _source, query) => {
    const asked = provider.requests.length;
    expectErrorPage(await new CookieBrowser().request(`${scene.issuer}/callback${query}`));
    expect(provider.requests).toHaveLength(asked);
  });

  it('is refused: another browser at the callback [RFC 9700 §4.7] (AS-02)', async () => {
    const url = await stopBeforeCallback();
    const asked = provider.requests.length;
    expectErrorPage(await new CookieBrowser().request(url));
    const other = new CookieBrowser();
    await logIn({}, other).ended;
    expectErrorPage(await other.request(url));
    expect(provider.requests.filter((path) => path === '/token').length).toBeGreaterThan(0);
    expect(provider.requests.length - asked).toBeLessThanOrEqual(3);
  });

  it('is refused: the state of a completed login once more [RFC 9700 §4.7.1] (AS-02)', async () => {
    const browser = new CookieBrowser();
    const url = await stopBeforeCallback(browser);
    await browser.follow(url, REDIRECT);
    expectErrorPage(await browser.request(url));
  });

  it('lets two logins in one browser end in any order (AS-02)', async () => {
    const browser = new CookieBrowser();
    const [first, second] = [await stopBeforeCallback(browser), await stopBeforeCallback(browser)];
    for (const url of [second, first])
      expect((await browser.follow(url, REDIRECT)).url.searchParams.has('code')).toBe(true);
  });

  it('is refused: a provider that never responds [CWE-400] (AS-02)', async () => {
    expectErrorPage(await silent, 502);
  });

  function logIn(misdeed: Misdeed, browser = new CookieBrowser()) {
    const started = begin(misdeed, browser);
    const ended = started.then(({ url }) => browser.follow(url, REDIRECT));
    return { started, ended };
  }

  /** Goes through consent and login, up to the redirect to the callback. */
  async function begin(misdeed: Misdeed, browser: CookieBrowser) {
    const page = await browser.follow(client.buildUrl(), REDIRECT);
    const atProvider = await browser.send(page, { decision: 'allow' }, `${provider.issuer}/authorize`);
    provider.misdeed = misdeed;
    const { headers } = await browser.request(atProvider.url);
    provider.misdeed = {};
    return { url: String(headers.get('location')) };
  }

  async function stopBeforeCallback(browser = new CookieBrowser()): Promise<string> {
    return (await begin({}, browser)).url;
  }
});
