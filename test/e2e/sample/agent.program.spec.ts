import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DemoRun } from '../../support/programs/demo-run.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const BUILD = fileURLToPath(new URL('../../../.build/sample/05-agent', import.meta.url));

/** What `oidc-provider` says of releases of Node older than 22, on which it works all the same. */
const OF_NODE_20 = /^oidc-provider WARNING: Unsupported runtime\..*\n/;

describe('npm run start:agent', () => {
  it('prints where all are, asks for a token, and ends cleanly', async () => {
    const agent = new NodeProgram(`${BUILD}/main.js`, { PORT: '0' });
    await agent.prints('npm run demo:agent');
    const [, url = ''] = /serves MCP at (http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(agent.stdout) ?? [];
    expect((await fetch(url, { headers: { accept: 'text/event-stream' } })).status).toBe(401);
    expect(await agent.stop()).toBe(0);
    expect(agent.stderr.replace(OF_NODE_20, '')).toBe('');
  });

  it('says that the port is not one', async () => {
    const wrong = new NodeProgram(`${BUILD}/main.js`, { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('cannot start on the port "70000"');
  });
});

describe('npm run demo:agent', () => {
  let demo: DemoRun;

  beforeAll(async () => {
    demo = await DemoRun.of(`${BUILD}/demo.js`);
  });

  /** Gives what the demo printed of one step. */
  const find = (beginning: string) => demo.find((part) => part.startsWith(beginning));

  it('exits with 0 and complains of nothing', () => {
    expect(demo.program.stderr.replace(OF_NODE_20, '')).toBe('');
    expect(demo.code).toBe(0);
    expect(demo.program.stdout).toContain('Done: all have ended');
  });

  it('has each user log in to the agent alone', () => {
    const [, agent = 'none'] = /The agent listens at (\S+)/.exec(demo.program.stdout) ?? [];
    for (const user of ['ada', 'grace']) {
      expect(find(`${user} logs in`)).toContain(`resource ${agent}`);
      expect(find(`${user} logs in`)).toContain('Token for      desk:read');
    }
  });

  it('shows each user the tickets of that user, by a token got in exchange (CLI-18) (OBO-01)', () => {
    const day = find('my_day');
    expect(day).toMatch(/ada +T-1003 Booking page shows the wrong time zone\n/);
    expect(day).toMatch(/grace +T-1002 Invoice shows the tax twice\n/);
  });

  it('books a room by the shared client, whose question the agent answers (CLI-18)', () => {
    const meeting = find('meet_about: ');
    expect(meeting).toMatch(/B-1 +Buoy: T-1003/);
    expect(meeting).toMatch(/grace +T-1002 .*\n +Buoy: T-1003/);
  });

  it('lets nobody meet about the ticket of somebody else (OBO-01)', () => {
    expect(find('meet_about, by somebody')).toContain('You have no ticket T-1003');
  });
});
