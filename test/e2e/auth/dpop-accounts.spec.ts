import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpSessions, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bindToken, bootBoundDesk } from '../../support/applications/bound-desk.js';
import { bootDesk, RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import type { Prover } from '../../support/authorization/prover.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { TASK_CLIENT } from '../../support/clients/task-wires.js';
import { until } from '../../support/until.js';

describe('A caller with several keys (RFC 9449)', () => {
  let issuer: TestIssuer;
  let desk: RunningApp;

  beforeEach(async () => {
    issuer = await TestIssuer.start();
    desk = await bootBoundDesk('express', issuer, 'allowed', { sessions: { maxSessionsPerCaller: 2 } });
  });
  afterEach(async () => {
    await desk.close();
    await issuer.stop();
  });

  const open = (client: Prover) => initialize(desk.url, { headers: client.headers(), confirm: false });
  const ping = async (session: SessionClient, client: Prover) =>
    (await session.request('ping', {}, client.headers())).status;

  it('has no more sessions for that, and takes none of others (XTN-03) (FAIR-02)', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => bindToken(issuer, { sub: 'ada' })));
    const bob = await bindToken(issuer, { sub: 'bob' });
    const his = await open(bob);
    const sessions: SessionClient[] = [];
    for (const key of keys) sessions.push(await open(key));
    const statuses = await Promise.all(keys.map((key, index) => ping(sessions[index]!, key)));
    expect(statuses).toEqual([404, 200, 200]);
    expect(await ping(his, bob)).toBe(200);
  });

  it.each([
    ['the subject', () => ({ subject: 'ada' })],
    ['subject and issuer', () => ({ subject: 'ada', issuer: issuer.url })],
  ])('is logged out with all of them, by %s (XTN-03) (RELAY-11)', async (_, select) => {
    const keys = await Promise.all([1, 2].map(() => bindToken(issuer, { sub: 'ada' })));
    const bob = await bindToken(issuer, { sub: 'bob' });
    const sessions = await Promise.all([...keys, bob].map(open));
    await desk.app.get(McpSessions).endAll(select());
    const statuses = await Promise.all([...keys, bob].map((key, index) => ping(sessions[index]!, key)));
    expect(statuses).toEqual([404, 404, 200]);
  });
});

/** What a task comes to at once. */
@Injectable()
class SwiftTools {
  @Tool({ description: 'Is done at once', task: 'optional', pollIntervalMs: 20 })
  swift(): string {
    return 'done';
  }
}

describe.each(ADAPTERS)('The tasks of a caller with several keys (RFC 9449), on %s', (adapter) => {
  let issuer: TestIssuer;
  let desk: RunningApp;

  beforeEach(async () => {
    issuer = await TestIssuer.start();
    desk = await bootDesk(adapter, {
      auth: { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt: {}, dpop: 'required' },
      options: { tasks: { maxTasksPerCaller: 2 } },
      providers: [SwiftTools],
    });
  });
  afterEach(async () => {
    await desk.close();
    await issuer.stop();
  });

  const send = (method: string, params: JsonObject, key: Prover) =>
    perRequest(desk.url, { capabilities: TASK_CLIENT }).request(method, params, { headers: key.headers() });

  async function finish(key: Prover): Promise<string> {
    const { result } = await send('tools/call', { name: 'swift' }, key);
    const taskId = String(result?.['taskId']);
    const isDone = async () => (await send('tasks/get', { taskId }, key)).result?.['status'] === 'completed';
    await until(isDone, 'the end of the task');
    return taskId;
  }

  it('are kept as those of one, and take nothing from others (XTN-03) (FAIR-03)', async () => {
    const bob = await bindToken(issuer, { sub: 'bob' });
    const his = await finish(bob);
    const keys = await Promise.all([1, 2, 3].map(() => bindToken(issuer, { sub: 'ada' })));
    const ids: string[] = [];
    for (const key of keys) ids.push(await finish(key));
    const found = await Promise.all(keys.map((key, index) => send('tasks/get', { taskId: ids[index] }, key)));
    expect(found.map(({ result }) => result?.['status'])).toEqual([undefined, 'completed', 'completed']);
    expect((await send('tasks/get', { taskId: his }, bob)).result?.['status']).toBe('completed');
    // A key does not see what another of the same caller has begun.
    const foreign = await send('tasks/get', { taskId: ids[2] }, keys[1]!);
    expect(foreign.error?.code).toBe(-32602);
  });
});
