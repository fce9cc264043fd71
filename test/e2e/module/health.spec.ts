import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import {
  McpAudit,
  McpStats,
  McpHealthIndicator,
  McpNotifier,
  type AuthOptions,
  type Cluster,
  type McpOptions,
  type TaskStore,
} from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { findFreePort } from '../../conformance/find-free-port.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { until, within } from '../../support/until.js';

@Controller()
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly mcp: McpHealthIndicator,
  ) {}

  @Get('live')
  @HealthCheck()
  live() {
    return this.health.check([() => this.mcp.liveness('mcp')]);
  }

  @Get('ready')
  @HealthCheck()
  ready() {
    return this.health.check([() => this.mcp.readiness('mcp')]);
  }

  @Get('strict')
  @HealthCheck()
  strict() {
    const requires = ['cluster', 'tasks', 'tokens', 'audit'] as const;
    return this.health.check([() => this.mcp.readiness('mcp', { requires })]);
  }
}

@Module({ imports: [TerminusModule.forRoot({ logger: false })], controllers: [HealthController] })
class HealthModule {}

const SECRET = 'a secret of the tests, which is long enough';

/** A store that is there, and answers nothing. */
const SILENT_STORE = {
  create: () => new Promise<void>(() => undefined),
  find: () => new Promise<undefined>(() => undefined),
  replace: () => new Promise<boolean>(() => undefined),
  list: () => Promise.resolve([]),
  listOpen: () => Promise.resolve([]),
  removeExpired: () => Promise.resolve(),
} satisfies TaskStore;

describe.each(ADAPTERS)('McpHealthIndicator in a check of Terminus, on %s', (adapter) => {
  let desk: RunningApp;
  let closing: Promise<void> | undefined;

  const boot = async (options: Partial<McpOptions> = {}) => {
    desk = await bootServer({ adapter, options, imports: [HealthModule], providers: [WaitingTools] });
  };

  const check = async (path: 'live' | 'ready' | 'strict') => {
    const { status, text } = await sendHttp(`${desk.origin}/${path}`, { method: 'GET' });
    const { details } = JSON.parse(text) as { readonly details: { readonly mcp: JsonObject } };
    return { status, mcp: details.mcp };
  };

  afterEach(async () => {
    await (closing ?? desk.close());
    closing = undefined;
  });

  it('is up, and says how much of the bounds is in use (RELAY-08, OPS-05)', async () => {
    await boot({ sessions: { maxSessions: 4 } });
    await initialize(desk.url);
    const expected = {
      status: 200,
      mcp: {
        status: 'up',
        state: 'up',
        tokens: { state: 'up' },
        use: { sessions: 0.25, listeners: 0, memory: expect.any(Number) },
      },
    };
    expect(await check('live')).toEqual(expected);
    expect(await check('ready')).toEqual(expected);
  });

  it('is alive but not ready once the server drains, while it serves (RELAY-08, OPS-05)', async () => {
    await boot({ shutdown: { drainMs: 6000 } });
    closing = desk.close();
    await until(async () => (await check('ready')).status === 503, 'the check to fail');
    expect(await check('ready')).toMatchObject({ mcp: { status: 'down', state: 'draining' } });
    expect(await check('live')).toMatchObject({ status: 200, mcp: { status: 'up', state: 'draining' } });
    await expect(perRequest(desk.url).request('tools/list')).resolves.toMatchObject({ status: 200 });
  });

  it('is degraded where nearly everything is taken (RELAY-08, OPS-05)', async () => {
    await boot({ sessions: { maxSessions: 1 } });
    await initialize(desk.url);
    expect(await check('ready')).toMatchObject({ status: 200, mcp: { status: 'up', state: 'degraded' } });
  });

  it('is degraded where the store of tasks does not answer, and down if that is required (RELAY-08, OPS-05)', async () => {
    await boot({ tasks: { store: SILENT_STORE } });
    const failing = { state: 'degraded', tasks: { state: 'failing' } };
    const [ready, live, strict] = await within(
      Promise.all([check('ready'), check('live'), check('strict')]),
      'answers although the store is silent',
    );
    expect(ready).toMatchObject({ status: 200, mcp: { status: 'up', ...failing } });
    expect(live).toMatchObject({ status: 200, mcp: { status: 'up', ...failing } });
    expect(strict).toMatchObject({ status: 503, mcp: { status: 'down', ...failing } });
  });

  it('is degraded where no keys of the issuer can be fetched, which it names to nobody (RELAY-08, OPS-05)', async () => {
    const issuer = `http://127.0.0.1:${await findFreePort()}/issuer`;
    const auth: AuthOptions = {
      jwt: { audience: 'desk', jwksUrl: `${issuer}/keys` },
      resourceUri: 'http://127.0.0.1/mcp',
      authorizationServers: [issuer],
      insecureHosts: ['127.0.0.1'],
    };
    await boot({ auth });
    expect(await check('ready')).toMatchObject({ status: 200, mcp: { state: 'up' } });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: issuer, aud: 'desk', sub: 'ada', exp: Math.ceil(Date.now() / 1000) + 60 };
    const token = `${part({ alg: 'ES256', typ: 'at+jwt', kid: 'one' })}.${part(claims)}.${part({})}`;
    const { status } = await post(desk.url, {}, { authorization: `Bearer ${token}` });
    expect(status).toBe(503);
    const { mcp, ...ready } = await check('ready');
    expect(ready.status).toBe(200);
    expect(mcp).toMatchObject({ state: 'degraded', tokens: { state: 'failing' } });
    expect(JSON.stringify(mcp)).not.toContain('issuer');
  });

  const call = async () => (await perRequest(desk.url).request('tools/list')).status;
  const isFailing = { state: 'degraded', audit: { state: 'failing' } };
  const isWell = { state: 'up', audit: { state: 'up' } };

  it('is degraded while a required audit refuses all requests, and down if it is required here too (OPS-03, OPS-05)', async () => {
    await boot({ audit: { mode: 'required' } });
    expect(await call()).toBe(503);
    expect(await check('ready')).toMatchObject({ status: 200, mcp: { status: 'up', ...isFailing } });
    expect(await check('live')).toMatchObject({ status: 200, mcp: { status: 'up', ...isFailing } });
    expect(await check('strict')).toMatchObject({ status: 503, mcp: { status: 'down', ...isFailing } });
    desk.app.get(McpAudit, { strict: false }).events$.subscribe();
    expect(await check('strict')).toMatchObject({ status: 200, mcp: isWell });
  });

  it('is degraded once a required audit could not keep an event, until it has kept one (OPS-03, OPS-05)', async () => {
    await boot({ audit: { mode: 'required' } });
    let isFull = true;
    desk.app.get(McpAudit, { strict: false }).writeTo(async () => {
      if (isFull) throw new Error('disk full');
    });
    expect((await check('strict')).status).toBe(200);
    expect(await call()).toBe(500);
    expect(await check('ready')).toMatchObject({ status: 200, mcp: isFailing });
    expect((await check('strict')).status).toBe(503);
    isFull = false;
    expect(await call()).toBe(200);
    expect(await check('strict')).toMatchObject({ status: 200, mcp: isWell });
  });

  it('says nothing of an audit that is not required (OPS-05)', async () => {
    await boot({ audit: { mode: 'optional' } });
    expect((await check('ready')).mcp).not.toHaveProperty('audit');
  });

  it('is degraded while the other processes are out of reach, and down if they are required (RELAY-07, OPS-05)', async () => {
    const cluster = memoryCluster();
    await boot({ cluster, secret: SECRET });
    expect(await check('ready')).toMatchObject({
      mcp: { state: 'up', cluster: { state: 'up', waiting: 0 } },
    });
    cluster.cut();
    expect(await check('ready')).toMatchObject({ status: 200, mcp: { state: 'degraded' } });
    expect(await check('live')).toMatchObject({ status: 200, mcp: { cluster: { state: 'failing' } } });
    expect(await check('strict')).toMatchObject({ status: 503, mcp: { status: 'down' } });
    cluster.heal();
    await until(async () => (await check('strict')).status === 200, 'the check to succeed');
    expect(await check('strict')).toMatchObject({ mcp: { state: 'up' } });
  });

  it('is degraded if the secret of another process differs, and stays ready (RELAY-08, OPS-05)', async () => {
    const cluster = memoryCluster();
    await boot({ cluster, secret: SECRET });
    expect(await check('strict')).toMatchObject({ mcp: { state: 'up', messages: { state: 'up' } } });
    const other = await bootServer({ options: { cluster, secret: `${SECRET}, and another` } });
    other.app.get(McpNotifier).toolsListChanged();
    await until(async () => (await check('ready')).mcp['state'] === 'degraded', 'the check to say so');
    expect(await check('strict')).toMatchObject({
      status: 200,
      mcp: { status: 'up', cluster: { state: 'up' }, messages: { state: 'failing' } },
    });
    await other.close();
  });

  it('names in one word why the other processes are out of reach, and no host (RELAY-07, OPS-05)', async () => {
    const memory = memoryCluster();
    const failure = { reason: 'WRONGPASS', message: 'Redis at redis.internal refused the login: WRONGPASS' };
    const cluster: Cluster = {
      join: async (member) => Object.assign(await memory.join(member), { failure }),
    };
    await boot({ cluster, secret: SECRET });
    expect((await check('ready')).mcp).not.toHaveProperty('cluster.reason');
    memory.cut();
    const { mcp } = await check('ready');
    expect(mcp).toMatchObject({ cluster: { state: 'failing', reason: 'WRONGPASS' } });
    expect(JSON.stringify(mcp)).not.toContain('redis.internal');
    const { cluster: bus } = desk.app.get(McpStats, { strict: false }).read();
    expect(bus).toMatchObject({ isConnected: false, failure });
  });
});
