import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpModule, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, bootApp } from '../../support/applications/boot.js';
import {
  AuthorizationClient,
  read,
  type EndpointAnswer,
} from '../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
} from '../../support/authorization/authorization-server-scene.js';
import { encode } from '../../support/authorization/forger.js';
import { moveDate } from '../../support/move-date.js';
import { expectError } from './attacks/attack.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const RESOURCE = 'https://reports.example.com/mcp';
const OTHER = 'https://other.example.com/mcp';
const SECRET = 'the secret of the reports server, long enough';

type Values = Readonly<Record<string, string | undefined>>;

describe.each(ADAPTERS)('Token exchange on %s', (adapter) => {
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;
  let subject: string;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start({
      adapter,
      server: (origin) => ({
        resources: { [`${origin}/mcp`]: CALLER_SCOPES, [RESOURCE]: CALLER_SCOPES, [OTHER]: CALLER_SCOPES },
        resourceServers: [
          { resource: RESOURCE, clientId: 'reports', clientSecret: SECRET },
          { resource: OTHER, clientId: 'other', clientSecret: SECRET },
        ],
      }),
    });
    client = await AuthorizationClient.register(scene);
    subject = String((await logIn())['access_token']);
  });
  afterEach(() => void jest.useRealTimers());
  afterAll(() => scene.stop());

  const logIn = async (resource = RESOURCE) => {
    const code = (await client.authorize({ resource })).get('code');
    return (await client.redeem(code, { resource })).body;
  };

  async function exchange(
    changes: Values = {},
    authorization = basic('reports', SECRET),
  ): Promise<EndpointAnswer> {
    const values: Values = {
      grant_type: GRANT,
      subject_token: subject,
      subject_token_type: ACCESS_TOKEN,
      ...changes,
    };
    const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const headers = { ...(authorization !== '' && { authorization }) };
    return read(
      await fetch(`${scene.issuer}/token`, { method: 'POST', headers, body: new URLSearchParams(given) }),
    );
  }

  it('gives a resource server in another process the token of the provider [RFC 8693 §2.2] (AS-03)', async () => {
    const { status, body, headers } = await exchange();
    expect(status).toBe(200);
    expect(body).toMatchObject({ issued_token_type: ACCESS_TOKEN, token_type: 'Bearer' });
    expect(Number(body['expires_in'])).toBeGreaterThan(100);
    expect(headers.get('cache-control')).toBe('no-store');
    await expect(scene.upstream.find(String(body['access_token']))).resolves.toMatchObject({
      scopes: expect.anything(),
    });
    expect(body['access_token']).not.toBe(subject);
  });

  it.each<[string, string, string, Values]>([
    ['no subject token', 'RFC 8693 §2.2.2', 'invalid_grant', { subject_token: undefined }],
    ['an invented token', 'RFC 8693 §2.2.2', 'invalid_grant', { subject_token: 'a.b.c' }],
    ['a type that is not supported', 'RFC 8693 §3', 'invalid_request', { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }],
    ['no type', 'RFC 8693 §2.1', 'invalid_request', { subject_token_type: undefined }],
    ['a refresh token of the provider', 'RFC 8693 §2.1', 'invalid_request', { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }],
    ['an actor', 'RFC 8693 §4.1', 'invalid_request', { actor_token: 'x', actor_token_type: ACCESS_TOKEN }],
    ['the type of an actor', 'RFC 8693 §2.1', 'invalid_request', { actor_token_type: ACCESS_TOKEN }],
    ['more scopes', 'RFC 9700 §2.3', 'invalid_scope', { scope: 'repo admin:org' }],
    ['another audience', 'RFC 8693 §2.1', 'invalid_target', { audience: 'payroll' }],
    ['another resource', 'RFC 8707 §2', 'invalid_target', { resource: OTHER }],
  ])('refuses %s [%s] (AS-03)', async (_name, _source, error, changes) => {
    expectError(await exchange(changes), error);
  }); // prettier-ignore

  it('refuses the token of another resource, and the client of another resource [RFC 9700 §2.3] (AS-03)', async () => {
    expectError(await exchange({}, basic('other', SECRET)), 'invalid_grant');
    const { access_token: other } = await logIn(OTHER);
    expectError(await exchange({ subject_token: String(other) }), 'invalid_grant');
    expect((await exchange({ subject_token: String(other) }, basic('other', SECRET))).status).toBe(200);
  });

  it('refuses a wrong secret, and no secret [RFC 6749 §2.3.1] (AS-03)', async () => {
    for (const authorization of [basic('reports', 'wrong'), basic('nobody', SECRET)])
      expectError(await exchange({}, authorization), 'invalid_client', 401);
    expect((await exchange({ client_id: 'reports' }, '')).status).toBe(401);
    expect((await exchange({ client_id: 'reports', client_secret: 'wrong' }, '')).status).toBe(401);
  });

  it('refuses MCP clients, public and confidential, however they register [RFC 8693 §5] (AS-03)', async () => {
    expect((await exchange({ client_id: client.clientId }, '')).status).toBe(400);
    for (const grantTypes of [[GRANT], ['authorization_code', GRANT]]) {
      const answer = await client.register({
        grant_types: grantTypes,
        token_endpoint_auth_method: 'client_secret_basic',
      });
      expectError(answer, 'invalid_client_metadata');
    }
    const { body } = await client.register({ token_endpoint_auth_method: 'client_secret_basic' });
    const answer = await exchange({}, basic(String(body['client_id']), String(body['client_secret'])));
    expect(answer.status).toBe(400);
    expect(answer.body).not.toHaveProperty('access_token');
  });

  it('refuses changed tokens, ID tokens and refresh tokens [RFC 8725 §3.11] (AS-03)', async () => {
    const code = (await client.authorize({ resource: RESOURCE, scope: 'openid desk:read' })).get('code');
    const { body } = await client.redeem(code, { resource: RESOURCE });
    const [header = '', payload = '', signature = ''] = subject.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const changed = encode({ ...claims, exp: 9_999_999_999, sub: 'eve' });
    for (const token of [
      body['id_token'],
      body['refresh_token'],
      [header, changed, signature].join('.'),
      [encode({ alg: 'none', typ: 'at+jwt' }), payload, ''].join('.'),
      [header, payload, ''].join('.'),
      `${subject}.x`,
    ])
      expectError(await exchange({ subject_token: String(token) }), 'invalid_grant');
  });

  it('refuses an untouched token after its end [RFC 8693 §2.2.2] (AS-03)', async () => {
    moveDate(700);
    expectError(await exchange(), 'invalid_grant');
    jest.useRealTimers();
    expect((await exchange()).status).toBe(200);
  });

  it('refuses tokens of a revoked grant [RFC 7009 §2.1] (AS-03)', async () => {
    const tokens = await logIn();
    const token = String(tokens['access_token']);
    expect((await exchange({ subject_token: token })).status).toBe(200);
    const form = new URLSearchParams({ client_id: client.clientId, token: String(tokens['refresh_token']) });
    expect((await fetch(`${scene.issuer}/revoke`, { method: 'POST', body: form })).status).toBe(200);
    expectError(await exchange({ subject_token: token }), 'invalid_grant');
  });

  it('is what "auth.exchange()" of a server in another process calls (AS-03)', async () => {
    @Injectable()
    class ReportTools {
      @Tool({ description: 'Calls the provider' })
      async report(_arguments: object, { auth }: McpContext) {
        return (await scene.upstream.find(await auth.exchange())) === undefined ? 'refused' : 'accepted';
      }

      @Tool({ description: 'Has no authorization server beside it' })
      async upstream(_arguments: object, { auth }: McpContext) {
        return auth.upstream().catch((error: unknown) => String(error));
      }
    }
    const module = McpModule.forRoot({
      serverInfo: { name: 'reports', version: '1.0.0' },
      publicUrl: RESOURCE,
      auth: {
        authorizationServers: [scene.issuer],
        jwt: {},
        exchange: { clientId: 'reports', clientSecret: SECRET },
      },
    });
    const app = await bootApp({ adapter, imports: [module], providers: [ReportTools] });
    try {
      const caller = new AuthorizationClient({ issuer: scene.issuer, resource: app.url });
      const { access_token: token } = await logIn();
      expect(JSON.stringify((await caller.call(token, 'report')).body)).toContain('accepted');
      expect(JSON.stringify((await caller.call(token, 'upstream')).body)).toContain(
        'McpAuthorizationServerModule',
      );
    } finally {
      await app.close();
    }
  });
});

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
}
