import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { textOf } from '../../support/applications/protected-desk.js';
import { SharedQueue } from '../../support/applications/shared-queue.js';
import { AuthorizationClient } from '../../support/authorization/authorization-client.js';
import {
  AT_APPLICATION,
  AuthorizationServerScene,
} from '../../support/authorization/authorization-server-scene.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { publishedClient, textOfTask } from '../../support/clients/task-wires.js';

@Injectable()
class Errands {
  @Tool({ description: 'Calls the provider for the caller', task: 'optional', pollIntervalMs: 20 })
  async callLater(_arguments: object, { auth }: McpContext) {
    return auth.upstream();
  }
}

/** The provider's access tokens are refreshed before each use, since they expire so soon. */
const SHORT = { accessTokenSeconds: 10 };

describe('The tokens of the provider', () => {
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;
  let tokens: Readonly<Record<string, unknown>>;

  beforeEach(async () => {
    scene = await AuthorizationServerScene.start({ applications: 3, upstream: SHORT });
    client = await AuthorizationClient.register(scene);
    tokens = (await client.redeem((await client.authorize()).get('code'))).body;
  });
  afterEach(() => scene.stop());

  it('are refreshed once for concurrent calls at several applications (AS-03)', async () => {
    const before = scene.upstream.grants.length;
    const calls = Array.from({ length: 6 }, () => client.call(tokens['access_token'], 'upstreamToken'));
    for (const { body } of await Promise.all(calls)) expect(JSON.stringify(body)).not.toContain('none');
    expect(scene.upstream.grants.slice(before).filter((grant) => grant.endsWith('!'))).toEqual([]);
  });

  it('are what "auth.upstream()" returns to a handler (AS-03)', async () => {
    const { body } = await client.call(tokens['access_token'], 'callUpstream');
    const { result } = body as {
      readonly result?: { readonly content: readonly { readonly text: string }[] };
    };
    const token = result?.content[0]?.text ?? '';
    await expect(scene.upstream.find(token)).resolves.toBeDefined();
    await scene.upstream.stop();
    const unreachable = await client.call(tokens['access_token'], 'callUpstream');
    expect(JSON.stringify(unreachable.body)).toContain('cannot be made on your behalf at the moment');
  });

  it('are missing for a handler once the provider refuses to refresh them (AS-03)', async () => {
    scene.upstream.endGrants();
    const { body } = await client.call(tokens['access_token'], 'callUpstream');
    expect(JSON.stringify(body)).toContain('until you have logged in again');
  });

  it('end the login at clients once the provider refuses to refresh them (AS-03)', async () => {
    const { status, body } = await client.refresh(tokens['refresh_token']);
    expect(status).toBe(200);
    scene.upstream.endGrants();
    await expect(client.refresh(body['refresh_token'])).resolves.toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    const again = await client.redeem((await client.authorize()).get('code'));
    expect(again.status).toBe(200);
  });

  it('leave users logged in while they can be refreshed (AS-03)', async () => {
    const before = scene.upstream.grants.length;
    expect((await client.authorize()).get('code')).not.toBeNull();
    expect(
      scene.upstream.grants.slice(before).filter((grant) => grant.includes('authorization_code')),
    ).toEqual([]);
  });

  it('send users to the provider again once they have expired and cannot be refreshed (AS-03)', async () => {
    await scene.stop();
    scene = await AuthorizationServerScene.start({ upstream: { ...SHORT, issuesRefreshTokens: false } });
    client = await AuthorizationClient.register(scene);
    await client.authorize();
    const before = scene.upstream.grants.length;
    expect((await client.authorize()).get('code')).not.toBeNull();
    expect(scene.upstream.grants).toHaveLength(before + 1);
  });

  it('leave users logged in while the provider cannot be reached', async () => {
    await scene.upstream.stop();
    await expect(client.refresh(tokens['refresh_token'])).resolves.toMatchObject({ status: 200 });
  });
});

describe('A message of HTTP+SSE that reaches another process than its stream', () => {
  let scene: AuthorizationServerScene;

  beforeEach(async () => {
    const secret = 'the secret that both processes share';
    const mcp = { stateless: false, sse: true, secret, cluster: memoryCluster() };
    scene = await AuthorizationServerScene.start({ applications: 2, mcp });
  });
  afterEach(() => scene.stop());

  it('lets its handler call "auth.upstream()" (AS-03) (RELAY-05)', async () => {
    const client = await AuthorizationClient.register(scene);
    const { body } = await client.redeem((await client.authorize()).get('code'));
    const authorization = `Bearer ${String(body['access_token'])}`;
    const at = (application: string) => ({ authorization, [AT_APPLICATION]: application });
    const stream = await SseClient.connect(`${scene.origin}/sse`, { headers: at('0') });
    const call = (id: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'callUpstream' },
    });
    for (const [id, application] of [
      ['near', '0'],
      ['far', '1'],
    ] as const) {
      const posted = await sendHttp(stream.endpoint, { json: call(id), headers: at(application) });
      expect(posted.status).toBe(202);
      const { result } = await stream.response(id);
      await expect(scene.upstream.find(textOf(result ?? {}))).resolves.toBeDefined();
    }
    await stream.close();
  });
});

describe('A task that another process runs', () => {
  let scene: AuthorizationServerScene;

  beforeEach(async () => {
    const secret = 'the secret that both processes share';
    const queue = new SharedQueue().open();
    const mcp = { stateless: false, secret, cluster: memoryCluster(), tasks: { queue } };
    scene = await AuthorizationServerScene.start({
      applications: 2,
      mcp,
      metadata: { providers: [Errands] },
    });
  });
  afterEach(() => scene.stop());

  it('lets its handler call "auth.upstream()" (AS-03)', async () => {
    const client = await AuthorizationClient.register(scene);
    const { body } = await client.redeem((await client.authorize()).get('code'));
    const headers = { authorization: `Bearer ${String(body['access_token'])}`, [AT_APPLICATION]: '0' };
    const tasks = publishedClient(scene.resource, { headers });
    const { taskId } = await tasks.create('callLater');
    const task = await tasks.reach(taskId);
    await expect(scene.upstream.find(textOfTask(task))).resolves.toBeDefined();
  });
});
