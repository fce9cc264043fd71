import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { buildEnvironment } from '../../support/programs/build-environment.js';
import { DemoRun } from '../../support/programs/demo-run.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { callToolIn } from '../../support/clients/tools.js';
import { RedisServer } from '../../support/redis/redis-server.js';
import { within } from '../../support/until.js';

const BUILD = fileURLToPath(new URL('../../../.build/sample/06-cluster', import.meta.url));

describe('npm run demo:cluster', () => {
  it('kills a process, and shows that what is promised holds (RELAY-01) (RELAY-03) (RELAY-05)', async () => {
    const demo = await DemoRun.of(`${BUILD}/demo.js`);
    expect(demo.program.stderr).toBe('');
    const promised = demo.find((part) => part.startsWith('What was promised'));
    expect(promised.match(/^ {2}kept /gm)).toHaveLength(4);
    expect(promised).not.toContain('BROKEN');
    expect(demo.find((part) => part.includes('kill -9'))).toMatch(
      /process \d +is killed[^]*Ada +came back to process \d after \d+\.\d s[^]*process that ran the call is gone/,
    );
    expect(demo.code).toBe(0);
  }, 120_000);
});

describe('npm run start:cluster', () => {
  it('starts three processes, each of which answers, and ends them all (MOD-12)', async () => {
    const terminal = new NodeProgram(`${BUILD}/main.js`, { PORT: '0' });
    await terminal.prints('npm run demo:cluster');
    const url = /serves MCP at (\S+)/.exec(terminal.stdout)?.[1] ?? '';
    const session = await initialize(url);
    const texts = new Set<string>();
    for (let number = 1; number <= 3; number += 1)
      texts.add(await callToolIn(session, 'announce', { number, text: 'Welcome' }));
    expect([...texts].toSorted()).toEqual([1, 2, 3].map((number) => `announced at process ${number}`));
    const pids = [...terminal.stdout.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
    expect(await terminal.stop()).toBe(0);
    expect(terminal.stderr).toBe('');
    expect(pids).toHaveLength(3);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  }, 60_000);

  it('says how to install Redis if there is none', async () => {
    const without = new NodeProgram(`${BUILD}/main.js`, { PORT: '0', REDIS_SERVER: 'no-such-redis' });
    expect(await without.exitCode()).toBe(1);
    expect(without.stderr).toContain('there is no "no-such-redis"');
    expect(without.stderr).toContain('apt-get install redis-server');
  }, 60_000);

  it('says which port it cannot have', async () => {
    const wrong = new NodeProgram(`${BUILD}/main.js`, { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('cannot start on port "70000"');
  }, 60_000);
});

describe('a process of the terminal', () => {
  it('ends in order if whoever started it is gone before it listens', async () => {
    const redis = await RedisServer.start();
    const env = buildEnvironment({ REDIS_URL: redis.url, MCP_SECRET: 'a'.repeat(32) });
    const orphan = fork(`${BUILD}/server.js`, { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    orphan.disconnect();
    try {
      expect(await within(once(orphan, 'exit'), 'the end of the process', 30_000)).toEqual([0, null]);
    } finally {
      orphan.kill('SIGKILL');
      await redis.stop();
    }
  }, 60_000);
});
