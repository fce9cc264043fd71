import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeskProgram } from './desk-program.js';
import { findFreePort } from '../../conformance/find-free-port.js';
import { requestOfCurl } from '../../support/clients/request-of-curl.js';

/** The demo ends by itself before. */
const LONGEST_DEMO_MS = 100_000;

describe('npm start', () => {
  let desk: DeskProgram;

  beforeAll(async () => {
    desk = await DeskProgram.start();
  });

  afterAll(() => desk.stop());

  it('prints the URL of the free port that PORT=0 asks for', () => {
    expect(desk.url).toMatch(/^http:\/\/127\.0\.0\.1:\d{2,5}\/mcp$/);
  });

  it('prints a curl line that works as it is (HTTP-02, VER-04)', async () => {
    const response = await fetch(requestOfCurl(desk.stdout));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      result: { structuredContent: { tickets: [{ id: 'T-1012' }, { id: 'T-1005' }] } },
    });
  });

  it("prints the inspector's command line and client settings with this URL", () => {
    expect(desk.stdout).toContain(`npx @modelcontextprotocol/inspector@2 --cli ${desk.url}`);
    const settings = /\{\n {4}"mcpServers"[\s\S]+?\n {2}\}/.exec(desk.stdout)?.[0] ?? '';
    expect(JSON.parse(settings)).toEqual({ mcpServers: { desk: { type: 'http', url: desk.url } } });
  });

  it('says in one sentence that the port is taken', async () => {
    const { port } = new URL(desk.url);
    const second = new DeskProgram('main.js', { PORT: port });
    expect(await second.exitCode()).toBe(1);
    expect(second.stderr).toContain(`Port ${port} is taken: stop the program that uses it`);
  });

  it.each(['abc', '-1', '70000', ''])('refuses the port "%s"', async (port) => {
    const wrong = new DeskProgram('main.js', { PORT: port });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('"PORT" must be a number from 0 to 65535');
  });

  it('says that no database answers', async () => {
    const port = await findFreePort();
    const lost = new DeskProgram('main.js', {
      PORT: '0',
      DATABASE_URL: `postgres://desk@127.0.0.1:${port}/desk`,
    });
    expect(await lost.exitCode()).toBe(1);
    expect(lost.stderr).toContain('No database answers at "DATABASE_URL"');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly on %s (MOD-12)', async (signal) => {
    const ending = await DeskProgram.start();
    expect(await ending.stop(signal)).toBe(0);
    expect(ending.stderr).toBe('');
  });
});

describe('npm run demo', () => {
  it('drives the desk from end to end and exits with 0 (PROG-01, NOTE-08)', async () => {
    const demo = new DeskProgram('demo.js');
    const code = await demo.exitCode(LONGEST_DEMO_MS);
    expect({ code, errors: demo.stderr }).toEqual({ code: 0, errors: '' });
    expect(demo.stdout).toContain('protocol 2026-07-28');
    expect(demo.stdout).toContain('100 %');
    expect(demo.stdout).toMatch(/desk:\/\/tickets\/T-\d+ +was changed by a second client/);
    expect(demo.stdout).toContain('open another ticket that refers to it instead');
  });
});
