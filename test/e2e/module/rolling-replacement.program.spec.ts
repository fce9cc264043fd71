import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Balancer } from '../../support/cluster/balancer.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { until } from '../../support/until.js';

const PROGRAM = '.build/test/programs/draining-app.js';
const ENVIRONMENT = { SECRET: 'the secret that all processes share', DRAIN_MS: '8000' };

/** What the processes have to themselves between two calls of a client. */
const PAUSE_MS = 5;

interface Process {
  readonly program: NodeProgram;
  readonly origin: string;
}

async function start(): Promise<Process> {
  const program = new NodeProgram(PROGRAM, ENVIRONMENT);
  await program.prints('ready');
  return { program, origin: /ready (\S+)/.exec(program.stdout)?.[1] ?? '' };
}

describe('Processes that are replaced one by one, behind a balancer that goes by their readiness', () => {
  let processes: Process[];
  let balancer: Balancer;
  let load: AbortController;

  beforeEach(async () => {
    load = new AbortController();
    processes = await Promise.all([start(), start()]);
    balancer = await Balancer.start(processes.map(({ origin }) => origin));
  });

  afterEach(async () => {
    load.abort();
    await balancer.stop();
    await Promise.all(processes.map(({ program }) => program.stop('SIGKILL')));
  });

  const isReady = async (index: number) => {
    const { status } = await sendHttp(`${processes[index]?.origin}/ready`, { method: 'GET' });
    return status === 200;
  };

  /** Does what a deployment does: the new process is ready before the old one is told to end. */
  async function replace(index: number): Promise<number | null> {
    const next = await start();
    const old = processes[index];
    old?.program.signal('SIGTERM');
    await until(async () => !(await isReady(index)), 'the process not to be ready any more');
    balancer.leaveOut(index);
    const exitCode = await old?.program.exitCode();
    processes[index] = next;
    balancer.origins[index] = next.origin;
    balancer.takeIn(index);
    return exitCode ?? null;
  }

  it('fail no call, in sessions and without (RELAY-08)', async () => {
    const session = await initialize(balancer.url);
    const clients = [session, perRequest(balancer.url)];
    const failed: unknown[] = [];
    let answered = 0;
    const calls = clients.map(async (client) => {
      while (!load.signal.aborted) {
        const answer = await client.request('tools/call', { name: 'query' }).catch((error: unknown) => error);
        const isFine = JSON.stringify((answer as { result?: unknown }).result ?? null).includes('a row');
        if (!isFine) failed.push(answer);
        answered += 1;
        await delay(PAUSE_MS);
      }
    });
    for (const index of [0, 1]) await replace(index);
    const before = answered;
    await until(() => answered > before + 10, 'calls after the last replacement');
    load.abort();
    await Promise.all(calls);
    expect(failed).toEqual([]);
  });
});
