import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { upstreams, type UpstreamOptions, type UpstreamUser } from 'nestjs-mcp/authorization-server';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
} from '../../support/authorization/authorization-server-scene.js';
import { AuthorizationClient } from '../../support/authorization/authorization-client.js';
import { HostileProvider } from '../../support/authorization/hostile-provider.js';
import { json, Party } from '../../support/authorization/party.js';

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
    await start(
      upstreams.github({
        ...CLIENT,
        authorizationUrl: `${origin}/login/oauth/authorize`,
        tokenUrl: `${origin}/login/oauth/access_token`,
        userUrl: `${origin}/user`,
      }),
    );
  });
  afterEach(() => github.stop());

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

  it('reports an error with the status 200, and the login ends on a page (AS-02)', async () => {
    github.at('/login/oauth/access_token', json({ error: 'bad_verification_code' }));
    const client = await AuthorizationClient.register(scene);
    const visit = await client.browser.send(
      await client.ask(),
      { decision: 'allow' },
      'http://nowhere.invalid',
    );
    expect(visit).toMatchObject({ status: 502, page: expect.stringContaining('did not complete the login') });
    github.at('/login/oauth/access_token', json({ access_token: 'gho_token', token_type: 'bearer' }));
    await expect(scene.call('whoAmI')).resolves.toContain('583231');
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
    await start(upstreams.entraId({ ...CLIENT, tenant: 'contoso', issuer: provider.issuer }));
    await expect(scene.call('whoAmI')).resolves.toBe('object-of-ada with desk:read');
  });

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
