import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { McpAudit, type AuditEvent } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { AuthorizationClient, post } from '../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
} from '../../support/authorization/authorization-server-scene.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { RecordedMetrics } from '../../support/records/recorded-metrics.js';

const REPORTS = 'https://reports.example.com/mcp';
const SECRET = 'the secret of the reports server, long enough';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

describe.each(ADAPTERS)('The audit of the authorization server on %s', (adapter) => {
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;
  let metrics: RecordedMetrics;
  let events: AuditEvent[];
  let scopes: readonly string[];

  beforeEach(async () => {
    metrics = new RecordedMetrics();
    scopes = ['desk:read'];
    scene = await AuthorizationServerScene.start({
      adapter,
      server: (origin) => ({
        grantScopes: () => scopes,
        resources: { [`${origin}/mcp`]: CALLER_SCOPES, [REPORTS]: CALLER_SCOPES },
        resourceServers: [{ resource: REPORTS, clientId: 'reports', clientSecret: SECRET }],
      }),
      mcp: { telemetry: { meterProvider: metrics.provider } },
    });
    events = [];
    scene.get(McpAudit).events$.subscribe((event) => events.push(event));
    client = await AuthorizationClient.register(scene);
  });
  afterEach(async () => {
    await scene.stop();
    await metrics.stop();
  });

  const list = () => events.map(({ type, outcome, reason = '' }) => `${type} ${outcome} ${reason}`.trimEnd());
  const find = (type: AuditEvent['type']) => events.findLast((event) => event.type === type);
  const revoke = (token: unknown) =>
    post(
      `${scene.issuer}/revoke`,
      new URLSearchParams({ token: String(token), client_id: client.clientId }).toString(),
    );

  it('records a login from the registration to the logout, and no secret (AS-03) (OPS-03)', async () => {
    const code = (await client.authorize()).get('code');
    const first = (await client.redeem(code)).body;
    const { body } = await client.refresh(first['refresh_token']);
    await revoke(body['refresh_token']);
    expect(list()).toEqual([
      'registration ok',
      'consent ok',
      'login_begun ok',
      'login ok',
      'token_issue ok',
      'token_refresh ok',
      'token_revocation ok',
    ]);
    const { clientId } = client;
    const caller = { subject: 'ada', issuer: scene.issuer, clientId, address: '127.0.0.1' };
    for (const type of ['login', 'token_issue', 'token_refresh'] as const)
      expect(find(type)).toMatchObject({ caller, target: scene.resource, transport: 'http' });
    expect(find('consent')).toMatchObject({ action: 'accept', caller: { clientId } });
    expect(find('token_revocation')).toMatchObject({ caller });
    const text = JSON.stringify(events);
    const given = [code, client.verifier, ...Object.values(first), ...Object.values(body)].map(String);
    for (const secret of given.filter(({ length }) => length > 30)) expect(text).not.toContain(secret);
  });

  it('counts events by type and outcome (OPS-02)', async () => {
    await client.redeem('guessed');
    const points = await metrics.points('nestjs_mcp.authorizations');
    expect(points.map(({ attributes, value }) => [attributes, value])).toEqual([
      [
        {
          'nestjs_mcp.server': 'default',
          'nestjs_mcp.authorization.type': 'registration',
          'nestjs_mcp.authorization.outcome': 'ok',
        },
        1,
      ],
      [
        {
          'nestjs_mcp.server': 'default',
          'nestjs_mcp.authorization.type': 'token_issue',
          'nestjs_mcp.authorization.outcome': 'refused',
        },
        1,
      ],
    ]);
  });

  it('records what is refused to clients (AS-03)', async () => {
    await client.register({ redirect_uris: ['javascript:alert(1)'] });
    await client.redeem('guessed');
    const { body } = await client.redeem((await client.authorize()).get('code'));
    await client.refresh(body['refresh_token']);
    events.length = 0;
    await client.refresh(body['refresh_token']);
    await client.register({ redirect_uris: ['javascript:alert(1)'] });
    await client.redeem('guessed');
    await revoke('unknown');
    expect(list()).toEqual([
      'token_refresh refused used_before',
      'registration refused invalid_redirect_uri',
      'token_issue refused invalid_grant',
    ]);
    expect(events[0]).toMatchObject({ caller: { subject: 'ada', clientId: client.clientId } });
  });

  it('records who decides against a client, and who is not let in (AS-02)', async () => {
    const decide = async (decision: string) =>
      client.browser.send(await client.ask({ prompt: 'login' }), { decision }, 'http://127.0.0.1:49152/');
    events.length = 0;
    await decide('deny');
    expect(list()).toEqual(['consent refused']);
    expect(events[0]).toMatchObject({ action: 'decline', caller: { clientId: client.clientId } });
    events.length = 0;
    scopes = [];
    const log = new RecordedLog();
    Logger.overrideLogger(log);
    await decide('allow');
    Logger.overrideLogger(false);
    expect(log.find('warn')).toEqual([
      'The user "ada" could not log in: "grantScopes" returned no scope McpAuthorizationServer',
    ]);
    expect(list()).toEqual(['consent ok', 'login_begun ok', 'login refused access_denied']);
    expect(find('login')).toMatchObject({ caller: { subject: 'ada' }, target: scene.resource });
    events.length = 0;
    scene.upstream.decision = 'deny';
    await decide('allow');
    expect(list()).toEqual(['consent ok', 'login_begun ok', 'login refused access_denied']);
  });

  it('records callbacks of other browsers, and providers that fail (AS-02)', async () => {
    await fetch(`${scene.issuer}/callback?code=stolen&state=guessed`);
    expect(list().slice(1)).toEqual(['login refused other_browser']);
    const { url } = await client.browser.send(
      await client.ask(),
      { decision: 'allow' },
      scene.upstream.issuer,
    );
    const state = url.searchParams.get('state');
    await client.browser.request(`${scene.issuer}/callback?error=server_error&state=${state}`);
    expect(list().slice(2)).toEqual(['consent ok', 'login_begun ok', 'login error provider_failed']);
    expect(JSON.stringify(events)).not.toContain(String(state));
  });

  it('records authorization requests that are refused, and a provider that cannot be reached (AS-03)', async () => {
    events.length = 0;
    await client.browser.request(client.buildUrl({ client_id: 'unknown' }));
    await client.browser.request(client.buildUrl({ resource: 'https://elsewhere.example' }));
    const page = await client.ask();
    await scene.upstream.stop();
    expect((await client.browser.send(page, { decision: 'allow' }, 'http://nowhere.invalid')).status).toBe(
      502,
    );
    expect(list()).toEqual([
      'login_begun refused invalid_client',
      'login_begun refused invalid_target',
      'consent ok',
      'login_begun error provider_failed',
    ]);
  });

  it('records exchanges of tokens (AS-03)', async () => {
    const code = (await client.authorize({ resource: REPORTS })).get('code');
    const { body } = await client.redeem(code, { resource: REPORTS });
    events.length = 0;
    for (const token of [body['access_token'], 'guessed']) {
      const authorization = `Basic ${Buffer.from(`reports:${encodeURIComponent(SECRET)}`).toString('base64')}`;
      const form = new URLSearchParams({
        grant_type: EXCHANGE,
        subject_token: String(token),
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      });
      await fetch(`${scene.issuer}/token`, { method: 'POST', headers: { authorization }, body: form });
    }
    expect(list()).toEqual(['token_exchange ok', 'token_exchange refused invalid_grant']);
    expect(events[0]).toMatchObject({ caller: { subject: 'ada', clientId: 'reports' }, target: REPORTS });
    expect(JSON.stringify(events)).not.toContain(String(body['access_token']));
  });
});
