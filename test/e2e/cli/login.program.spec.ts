import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedBrowser } from '../../../sample/03-protected/demo/scripted-browser.js';
import { start, type Started } from '../../../sample/03-protected/start.js';
import { CommandLine, type Ending } from '../../support/programs/command-line.js';
import { PseudoTerminal } from '../../support/programs/pseudo-terminal.js';
import { until } from '../../support/until.js';

/** No screen, so that no browser is opened on the machine of whoever runs this. */
const NO_SCREEN = { DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', WSL_DISTRO_NAME: '' };

describe('nestjs-mcp-cli login', () => {
  let home: string;
  let desk: Started;
  let url: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'home-'));
    desk = await start({ desk: 0, authorizationServer: 0 }, []);
    url = desk.url.href;
  });

  afterEach(async () => {
    await desk.stop();
    await rm(home, { recursive: true, force: true });
  });

  const run = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
    new CommandLine(args, { environment: { ...NO_SCREEN, XDG_CONFIG_HOME: home, ...environment } });

  /** Logs in by the URL that is printed, and gives what was asked as well. */
  const logIn = async (
    options: readonly string[] = [],
    decision: 'allow' | 'deny' = 'allow',
  ): Promise<Ending & { readonly asked: Readonly<Record<string, string>> }> => {
    const line = run(['login', url, ...options]);
    const asked = await answer(await line.says(/(http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)/), decision);
    return { ...(await line.ends()), asked };
  };

  it('prints the URL where no browser can be opened, and keeps what it got (CLI-09, CLI-14, CLI-20)', async () => {
    const { code, stdout, stderr, asked } = await logIn();
    expect([code, stdout]).toEqual([0, `Logged in to ${url} at ${desk.issuer} with the scope desk:read\n`]);
    expect(Object.keys(asked)).toContain('desk:read');
    expect(stderr.match(/If the page shows an error/g)).toHaveLength(1);
    const folder = join(home, 'nestjs-mcp');
    const [file = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    const { credentials } = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
      readonly credentials: { readonly tokens: { readonly accessToken: string } };
    };
    expect(stdout + stderr).not.toContain(credentials.tokens.accessToken);
  });

  it('is done once: later commands ask nobody (CLI-20)', async () => {
    await logIn();
    const tools = await run(['tools', url]).ends();
    expect(tools).toMatchObject({ code: 0, stderr: '' });
    expect(tools.stdout).toContain('list_tickets');
    expect(await run(['call', url, 'list_tickets']).ends()).toMatchObject({ code: 0, stderr: '' });
  });

  it('asks for the scopes that it is told, once more where there was a login (CLI-20)', async () => {
    await logIn();
    const { code, stdout } = await logIn(['--scope', 'desk:read desk:write']);
    expect([code, stdout]).toEqual([
      0,
      `Logged in to ${url} at ${desk.issuer} with the scopes desk:read desk:write\n`,
    ]);
    const call = run(['call', url, 'open_ticket', 'subject=Printer on fire', 'customer=orchard-school']);
    expect((await call.ends()).code).toBe(0);
  });

  it('is told with the other way, where nobody sits and there was none (CLI-20)', async () => {
    const { code, stderr } = await run(['tools', url]).ends();
    expect([code, stderr]).toEqual([
      3,
      `The server requires a login: run the following command and try again, or pass a token with "--token-env"\n  npx nestjs-mcp-cli login ${url}\n`,
    ]);
  });

  it('is told with the options that it was given, except for what may be a secret (CLI-20)', async () => {
    const given = ['--client-id', 'desk-cli', '--scope', 'desk:read', '--header', 'X-Api-Key: 4711'];
    const { code, stderr } = await run(['tools', url, ...given]).ends();
    expect(code).toBe(3);
    expect(stderr).toContain(`  npx nestjs-mcp-cli login ${url} --client-id=desk-cli --scope=desk:read\n`);
    expect(stderr).not.toContain('4711');
  });

  it('is told with the scopes that a call lacks, where nobody sits (CLI-11, CLI-20)', async () => {
    await logIn();
    const call = run(['call', url, 'open_ticket', 'subject=Printer on fire', 'customer=orchard-school']);
    const { code, stderr } = await call.ends();
    expect(code).toBe(3);
    expect(stderr).toContain('The login lacks the scope "desk:write": run the following');
    expect(stderr).toContain(`nestjs-mcp-cli login ${url} --scope=desk:read --scope=desk:write\n`);
  });

  it('is begun by a call at a terminal, which goes on after it (CLI-20)', async () => {
    const file = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
    const command = [process.execPath, file, 'call', url, 'list_tickets'];
    const terminal = new PseudoTerminal(command, { ...NO_SCREEN, XDG_CONFIG_HOME: home });
    const address = /(http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)\r/;
    const match = await until(() => address.exec(terminal.shown), 'the address', 20_000);
    await answer(match[1] ?? '', 'allow');
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.shown).toContain('"tickets"');
    expect((await run(['call', url, 'list_tickets']).ends()).code).toBe(0);
  });

  it('opens the browser where there is one (CLI-09, CLI-20)', async () => {
    const opened = join(home, 'opened');
    const opener = join(home, 'xdg-open');
    await writeFile(opener, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
    await chmod(opener, 0o755);
    const PATH = `${home}${delimiter}${process.env['PATH']}`;
    const line = run(['login', url], { DISPLAY: ':0', PATH });
    const address = await until(() => readFile(opened, 'utf8').catch(() => ''), 'the browser', 20_000);
    await answer(address, 'allow');
    expect(await line.ends()).toMatchObject({ code: 0 });
  });

  it('ends with 3 where the user says no, and keeps no token (CLI-20)', async () => {
    const { code, stdout } = await logIn([], 'deny');
    expect([code, stdout]).toEqual([3, '']);
    expect((await run(['call', url, 'list_tickets']).ends()).code).toBe(3);
  });

  it('leaves the login that there was where the user says no (CLI-14, CLI-20)', async () => {
    await logIn();
    expect((await logIn(['--scope', 'desk:write'], 'deny')).code).toBe(3);
    expect(await run(['call', url, 'list_tickets']).ends()).toMatchObject({ code: 0, stderr: '' });
  });

  it('leaves the login that there was where it cannot begin (CLI-14, CLI-20)', async () => {
    await logIn();
    const folder = join(home, 'nestjs-mcp');
    const [file = ''] = await readdir(folder);
    const before = await readFile(join(folder, file), 'utf8');
    const unset = ['--client-id', 'desk', '--client-secret-env', 'NOT_SET'];
    expect((await run(['login', url, ...unset]).ends()).code).toBe(2);
    await desk.stop();
    expect((await run(['login', url]).ends()).code).toBe(4);
    expect(await readFile(join(folder, file), 'utf8')).toBe(before);
  });

  it('is not begun by other commands where nobody sits: they end with 3, and name it (CLI-20)', async () => {
    const { code, stdout, stderr } = await run(['tools', url]).ends();
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(`nestjs-mcp-cli login ${url}`);
  });

  it('is over after a logout (CLI-20)', async () => {
    await logIn();
    const { code, stdout, stderr } = await run(['logout', url]).ends();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `Logged out of ${url}: the credentials from ${desk.issuer} were deleted, and the tokens were revoked\n`,
    );
    expect((await run(['call', url, 'list_tickets']).ends()).code).toBe(3);
  });

  it.each([
    'http://example.com/client',
    'https://App.example.com/client.json',
    'https://example.com/client#key',
    'https://example.com/a/../client.json',
    'https://ada@example.com/client.json',
  ])('ends with 2 upon %s, which can be no client id (CLI-06, CLI-20)', async (metadataUrl) => {
    const { code, stderr } = await run(['login', url, '--client-metadata-url', metadataUrl]).ends();
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^"--client-metadata-url" must be an "https:" URL [^\n]*\nUsage: nestjs-mcp-cli login/,
    );
  });
});

/** Does what a browser and its user do, up to the address at which the client waits. */
async function answer(
  address: string,
  decision: 'allow' | 'deny',
): Promise<Readonly<Record<string, string>>> {
  const page = new URL(address);
  const callback = page.searchParams.get('redirect_uri') ?? '';
  const decided = await new ScriptedBrowser('ada').decide(page, callback, decision);
  await fetch(decided.address);
  return decided.asked;
}
