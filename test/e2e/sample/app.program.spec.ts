import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../support/programs/node-program.js';

const BUILD = fileURLToPath(new URL('../../../.build/sample/07-app', import.meta.url));

describe('npm run start:app', () => {
  it('prints the URL, the tokens and what to do with them, and ends cleanly (MOD-12)', async () => {
    const board = new NodeProgram(`${BUILD}/main.js`, { PORT: '0', READING: 'token-for-reading' });
    await board.prints('npm run demo:app');
    expect(board.stdout).toMatch(/serves MCP at http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(board.stdout).toContain('READING=token-for-reading');
    expect(await board.stop()).toBe(0);
    expect(board.stderr).toBe('');
  });

  it('says that the port is not one', async () => {
    const wrong = new NodeProgram(`${BUILD}/main.js`, { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('cannot start on port "70000"');
  });
});

describe('npm run demo:app, without Chromium', () => {
  let demo: NodeProgram;

  beforeAll(async () => {
    demo = new NodeProgram(`${BUILD}/demo.js`, { CHROMIUM: '/nowhere' });
    await demo.exitCode(60_000);
  });

  it('exits with 0, complains of nothing, and says what is missing', async () => {
    expect(demo.stderr).toBe('');
    expect(await demo.exitCode()).toBe(0);
    expect(demo.stdout).toContain('There is no Chromium at "/nowhere"');
  });

  it('shows the board as text to a host without apps, and as a page to one that shows apps (XTN-02)', () => {
    expect(demo.stdout).toMatch(/Tools +show_board, open_ticket\n/);
    expect(demo.stdout).toMatch(/Text +\{"change":0,"tickets":\[\{"id":1/);
    expect(demo.stdout).toContain('show_board {"resourceUri":"ui://board/board.html"}');
    expect(demo.stdout).toContain('close_ticket {"visibility":["app"]}');
    expect(demo.stdout).toMatch(/Page +text\/html;profile=mcp-app, \d+ characters/);
  });
});
