import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bindToken } from '../../support/applications/bound-desk.js';
import { RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import type { Prover } from '../../support/authorization/prover.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LONG_MS = 60_000;

describe('A proof at three processes with a Redis (RFC 9449 §11.1)', () => {
  let issuer: TestIssuer;
  let cluster: ProcessCluster;
  let ada: Prover;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    cluster = await ProcessCluster.start({ environment: { ISSUER: issuer.url, RESOURCE } });
    ada = await bindToken(issuer);
  }, 120_000);

  afterAll(async () => {
    await cluster.stop();
    await issuer.stop();
  });

  const discover = async (url: string, headers: ReturnType<Prover['headers']>): Promise<number> =>
    (await perRequest(url, { headers }).request('server/discover')).status;

  it('counts once, wherever it comes, also to all of them at once (XTN-03)', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const headers = ada.headers();
      const statuses = await Promise.all(cluster.processes.map(({ url }) => discover(url, headers)));
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 401)).toHaveLength(2);
      expect(await discover(cluster.url, headers)).toBe(401);
    }
  });

  it('counts once to a process that was not there when it was used (XTN-03)', async () => {
    const headers = ada.headers();
    expect(await discover(cluster.urlOf(0), headers)).toBe(200);
    await cluster.at(0).stop('SIGKILL');
    const { url } = await cluster.replace(0);
    expect(await discover(url, headers)).toBe(401);
    expect(await discover(url, ada.headers())).toBe(200);
  }, 120_000);

  it('is not taken while Redis is gone, and is when it is back (XTN-03)', async () => {
    expect(await discover(cluster.url, ada.headers())).toBe(200);
    await cluster.redis.kill();
    const headers = ada.headers();
    await until(
      async () => (await discover(cluster.urlOf(0), ada.headers())) === 503,
      'the refusal',
      LONG_MS,
    );
    expect(await discover(cluster.urlOf(1), headers)).not.toBe(200);
    await cluster.redis.start();
    await until(
      async () => (await discover(cluster.urlOf(1), ada.headers())) === 200,
      'the way back',
      LONG_MS,
    );
  }, 180_000);
});
