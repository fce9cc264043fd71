import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { McpAudit, type AuditEvent } from 'nestjs-mcp';
import {
  McpAuthorizationServerModule,
  upstreams,
  type UpstreamOptions,
  type UpstreamUser,
} from 'nestjs-mcp/authorization-server';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
} from '../../support/authorization/authorization-server-scene.js';
import { AuthorizationClient } from '../../support/authorization/authorization-client.js';
import { HostileProvider } from '../../support/authorization/hostile-provider.js';
import { json, Party } from '../../support/authorization/party.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

const TENANT = '4fd2b2f2-ea27-4fe5-a8f3-7b1a7c975f34';
const CLIENT = { clientId: 'desk-at-upstream', clientSecret: 'the-secret-of-the-desk' };

let scene: AuthorizationServerScene;
let grantScopes: (user: UpstreamUser) => readonly string[];

async function start(upstream: UpstreamOptions): Promise<void> {
  scene = await AuthorizationServerScene.start({
    server: { upstream, grantScopes: (user) => grantScopes(user) },
  });
}

beforeEach(() => {
  grantScopes = () => Object.keys(CALLER_SCOPES);
});
afterEach(() => scene.stop());

describe('A provider like GitHub, with plain OAuth 2.0', () => {
  let github: Party;
  let urls: Partial<UpstreamOptions>;

  beforeEach(async () => {
    github = await Party.start();
    github.at('/login/oauth/authorize*', (response, { path }) => {
      const asked = new URL(path, github.origin).searchParams;
      const url = new URL(asked.get('redirect_uri')!);
      url.searchParams.set('code', 'code-of-github');
      url.searchParams.set('state', asked.get('state')!);
      response.writeHead(302, { location: url.href }).end();
    });
    github.at('/user', json({ id: 583_231, login: 'octocat' }));
    github.at(
      '/login/oauth/access_token',
      json({ access_token: 'gho_token', token_type: 'bearer', scope: 'read:user' }),
    );
    const { origin } = github;
    urls = {
      authorizationUrl: `${origin}/login/oauth/authorize`,
      tokenUrl: `${origin}/login/oauth/access_token`,
      userUrl: `${origin}/user`,
    };
    await start(upstreams.github({ ...CLIENT, ...urls }));
  });
  afterEach(async () => {
    Logger.overrideLogger(false);
    await github.stop();
  });

  it('identifies a user with the number of the account (AS-01)', async () => {
    await expect(scene.call('whoAmI')).resolves.toBe('583231 with desk:read');
    const [, exchange] = github.requests.filter(({ path }) => path !== '/user');
    expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toMatchObject({
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('offers its token to handlers, although it never expires', async () => {
    await expect(scene.call('upstreamToken')).resolves.toBe('gho_token');
  });

  it('names an error with the status 200 in the log and the audit, and the login ends on a page (AS-02)', async () => {
    const log = new RecordedLog();
    Logger.overrideLogger(log);
    const events: AuditEvent[] = [];
    scene.get(McpAudit).events$.subscribe((event) => events.push(event));
    github.at('/login/oauth/access_token', json({ error: 'bad_verification_code' }));
    const client = await AuthorizationClient.register(scene);
    const visit = await client.browser.send(
      await client.ask(),
      { decision: 'allow' },
      'http://nowhere.invalid',
    );
    expect(visit).toMatchObject({ status: 502, page: expect.stringContaining('did not complete the login') });
    expect(log.find('warn', 'The provider "GitHub" failed: "bad_verification_code"')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      type: 'login',
      outcome: 'error',
      reason: 'provider_failed: bad_verification_code',
    });
    github.at('/login/oauth/access_token', json({ access_token: 'gho_token', token_type: 'bearer' }));
    await expect(scene.call('whoAmI')).resolves.toContain('583231');
  });

  it('ends a login whose refresh token it rejects, with the status 200 (AS-03)', async () => {
    const tokens = { access_token: 'ghu_1', token_type: 'bearer', expires_in: 10, refresh_token: 'ghr_1' };
    github.at('/login/oauth/access_token', json(tokens));
    await expect(scene.call('callUpstream')).resolves.toBe('ghu_1');
    github.at('/login/oauth/access_token', json({ error: 'bad_refresh_token' }));
    await expect(scene.call('callUpstream')).resolves.toContain('until you have logged in again');
  });

  it('has no address of a user who hides it, unless "user:email" is requested (AS-02)', async () => {
    const seen: unknown[] = [];
    grantScopes = ({ claims: { email, email_verified: isVerified } }) => {
      seen.push([email, isVerified]);
      return ['desk:read'];
    };
    github.at('/user', json({ id: 583_231, login: 'octocat', email: null }));
    await scene.call('whoAmI');
    await scene.stop();
    const list = [
      { email: 'other@example.org', primary: false, verified: true },
      { email: 'octocat@example.com', primary: true, verified: true },
    ];
    github.at('/user/emails', json(list));
    await start(upstreams.github({ ...CLIENT, ...urls, scopes: ['read:user', 'user:email'] }));
    await scene.call('whoAmI');
    github.at('/user/emails', json(list.map((one) => ({ ...one, verified: false }))));
    await AuthorizationClient.register(scene).then((client) => client.authorize());
    // A GitHub App without the permission to read addresses.
    github.at('/user/emails', json({ message: 'Resource not accessible by integration' }, 403));
    await AuthorizationClient.register(scene).then((client) => client.authorize());
    expect(seen).toEqual([
      [null, undefined],
      ['octocat@example.com', true],
      [null, false],
      [null, false],
    ]);
  });
});

describe('An OpenID provider', () => {
  let provider: HostileProvider;

  beforeEach(async () => {
    provider = await HostileProvider.start();
  });
  afterEach(() => provider.stop());

  it('like Entra ID identifies a user with the object ID (AS-01)', async () => {
    provider.misdeed = { claims: { oid: 'object-of-ada', preferred_username: 'ada@example.com' } };
    await start(upstreams.entraId({ ...CLIENT, tenant: TENANT, issuer: provider.issuer }));
    await expect(scene.call('whoAmI')).resolves.toBe('object-of-ada with desk:read');
  });

  it.each(['common', 'organizations', 'consumers', 'contoso.onmicrosoft.com', undefined as never])(
    'like Entra ID must have the ID of its tenant, not %j (AS-01)',
    (tenant) => {
      const build = (upstream: UpstreamOptions) => () =>
        McpAuthorizationServerModule.forRoot({
          issuer: 'https://desk.example.com/oauth',
          resources: { 'https://desk.example.com/mcp': CALLER_SCOPES },
          upstream,
          grantScopes,
          secret: 'a secret of the desk, with more than 32 characters',
        });
      const refusal = `must contain the tenant ID, a GUID, instead of "${tenant}"`;
      expect(build(upstreams.entraId({ ...CLIENT, tenant }))).toThrow(refusal);
      expect(build({ ...CLIENT, issuer: `https://login.microsoftonline.us/${tenant}/v2.0` })).toThrow(
        refusal,
      );
      expect(build(upstreams.entraId({ ...CLIENT, tenant: TENANT.toUpperCase() }))).not.toThrow();
    },
  );

  it('like Google admits the members of one organization alone (AS-02)', async () => {
    grantScopes = ({ claims }) => (claims['hd'] === 'example.com' ? ['desk:read'] : []);
    await start(upstreams.google({ ...CLIENT, issuer: provider.issuer }));
    provider.misdeed = { claims: { hd: 'elsewhere.example' } };
    const client = await AuthorizationClient.register(scene);
    expect((await client.authorize()).get('error')).toBe('access_denied');
    provider.misdeed = { claims: { hd: 'example.com' } };
    await expect(scene.call('whoAmI')).resolves.toContain('desk:read');
  });

  it('like Google keeps its own parameters beside yours (AS-01)', () => {
    const { parameters } = upstreams.google({ ...CLIENT, parameters: { prompt: 'consent' } });
    expect(parameters).toEqual({ access_type: 'offline', prompt: 'consent' });
  });
});

it.each(['', '/', '/oauth/', '/oauth?tenant=1', '/oauth#top'])(
  'An issuer has a path, and nothing after it, unlike %j (AS-01)',
  (path) => {
    const build = (issuer: string) => () =>
      McpAuthorizationServerModule.forRoot({
        issuer,
        resources: { 'https://desk.example.com/mcp': CALLER_SCOPES },
        upstream: upstreams.google(CLIENT),
        grantScopes,
        secret: 'a secret of the desk, with more than 32 characters',
      });
    expect(build(`https://desk.example.com${path}`)).toThrow(/"authorizationServer.issuer" must have a path/);
    expect(build('https://desk.example.com/login/oauth')).not.toThrow();
  },
);
