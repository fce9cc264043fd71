import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpSessions } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bindToken, bootBoundDesk } from '../../support/applications/bound-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import type { Prover } from '../../support/authorization/prover.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';

describe('A caller with several keys (RFC 9449)', () => {
  let issuer: TestIssuer;
  let desk: RunningApp;

  beforeEach(async () => {
    issuer = await TestIssuer.start();
    desk = await bootBoundDesk('express', issuer, 'allowed', { sessions: { maximumSessionsPerIdentity: 2 } });
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
