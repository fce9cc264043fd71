import { writeFileSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../conformance/find-free-port.js';
import { FormBrowser } from '../../support/clients/form-browser.js';
import { CommandLine } from '../../support/programs/command-line.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { PseudoTerminal } from '../../support/programs/pseudo-terminal.js';
import { until } from '../../support/until.js';
import { compilePages, folderOf } from './pages.js';
import { findBlocks } from './snippets.js';

const PAGE = 'docs/authorization.md';
const FOLDER = folderOf(PAGE);
const MAIN = `
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule);
await app.listen(process.env.PORT);
`;

/** No screen, so that no browser is opened on the machine of whoever runs this. */
const NO_SCREEN = { DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', WSL_DISTRO_NAME: '' };
const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)\s/;
const BUILT = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));

describe('"Try an OAuth login locally" of docs/authorization.md', () => {
  const browser = new FormBrowser({ login: 'ada', password: 'anything' });
  let home: string;
  let url: string;
  let environment: NodeJS.ProcessEnv;
  let authorizationServer: NodeProgram;
  let application: NodeProgram;

  beforeAll(async () => {
    compilePages();
    home = await mkdtemp(join(tmpdir(), 'home-'));
    environment = { ...NO_SCREEN, XDG_CONFIG_HOME: home };
    const [port, issuerPort] = [await findFreePort(), await findFreePort()];
    url = `http://127.0.0.1:${port}/mcp`;
    const ports: Readonly<Record<string, number>> = { 3000: port, 3001: issuerPort };
    const move = (text: string) => text.replaceAll(/300[01]/g, (shown) => String(ports[shown]));
    const file = 'authorization-server.mjs';
    writeFileSync(
      join(FOLDER, file),
      move(findBlocks(PAGE).find((block) => block.file === file)?.text ?? ''),
    );
    const module = join(FOLDER, 'src/app.module.js');
    writeFileSync(module, move(readFileSync(module, 'utf8')));
    writeFileSync(join(FOLDER, 'src/main.js'), MAIN);
    authorizationServer = new NodeProgram(join(FOLDER, file));
    application = new NodeProgram(join(FOLDER, 'src/main.js'), { PORT: String(port) });
    await authorizationServer.prints('The authorization server is');
    await application.prints('successfully started');
  });

  afterAll(async () => {
    await application?.stop();
    await authorizationServer?.stop();
    await rm(home, { recursive: true, force: true });
  });

  it('logs in, calls a tool, and steps up for another (AUTH-14, CLI-09, CLI-20)', async () => {
    const login = new CommandLine(['login', url], { environment });
    await browser.visit(await login.says(ADDRESS));
    expect((await login.ends()).stdout).toContain('with the scope desk:read\n');
    expect(browser.pages.at(-1)).toContain('desk:read');

    const list = await new CommandLine(['call', url, 'list'], { environment }).ends();
    expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining('printer jam') });

    const terminal = new PseudoTerminal([process.execPath, BUILT, 'call', url, 'close'], environment);
    const match = await until(() => ADDRESS.exec(terminal.shown), 'the address', 20_000);
    await browser.visit(match[1] ?? '');
    expect(browser.pages.at(-1)).toContain('desk:write');
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.shown).toContain('closed');
  });
});
