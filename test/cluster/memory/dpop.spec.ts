import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BoundTools, bindToken } from '../../support/applications/bound-desk.js';
import { ADAPTERS } from '../../support/applications/boot.js';
import { RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import type { Prover } from '../../support/authorization/prover.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { sessionAt, startProcesses, type Processes } from '../../support/cluster/processes.js';
import { until } from '../../support/until.js';

describe.each(ADAPTERS)('A proof at several processes on %s (RFC 9449 §11.1)', (adapter) => {
  let issuer: TestIssuer;
  let running: Processes;
  let ada: Prover;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    const dpop = { mode: 'required', nonce: true } as const;
    const auth = { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt: {}, dpop };
    running = await startProcesses({ adapter, count: 3, options: { auth }, providers: [BoundTools] });
    ada = await bindToken(issuer);
  });
  afterAll(async () => {
    await running.close();
    await issuer.stop();
  });

  const enter = (index: number, headers: ReturnType<Prover['headers']>) =>
    perRequest(running.servers[index]!.url, { headers }).request('tools/call', { name: 'enter' });

  /** Gives a nonce of one process. */
  const askFor = async (index: number) => (await enter(index, ada.headers())).headers['dpop-nonce'];

  it('counts once in all of them, also where several get it at once (XTN-03)', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const headers = ada.headers({ claims: { nonce: await askFor(turn % 3) } });
      const answers = await Promise.all([0, 1, 2].map((index) => enter(index, headers)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(2);
      expect((await enter(turn % 3, headers)).status).toBe(401);
    }
  });

  it('has the nonce of any of them (XTN-03)', async () => {
    for (const index of [0, 1, 2]) {
      const nonce = await askFor((index + 1) % 3);
      expect((await enter(index, ada.headers({ claims: { nonce } }))).status).toBe(200);
    }
  });

  it('is of the key that opened a session, in each of them (XTN-03)', async () => {
    const nonce = await askFor(0);
    const prove = (client: Prover) => client.headers({ claims: { nonce } });
    const session = await initialize(running.servers[0].url, { headers: prove(ada), confirm: false });
    const other = await bindToken(issuer);
    const there = sessionAt(running.servers[1], session);
    expect((await there.request('ping', {}, prove(other))).status).toBe(404);
    expect((await there.request('ping', {}, prove(ada))).status).toBe(200);
  });

  it('is neither taken nor refused while the others cannot be asked (XTN-03)', async () => {
    const nonce = await askFor(0);
    running.cluster.isAway = true;
    const answer = await enter(0, ada.headers({ claims: { nonce } }));
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    running.cluster.isAway = false;
    const isBack = async () => (await enter(0, ada.headers({ claims: { nonce } }))).status === 200;
    await until(isBack, 'the way to the others', 15_000);
  });
});
