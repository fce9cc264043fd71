import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedBrowser } from '../../../sample/03-protected/demo/scripted-browser.js';
import { start, type Started } from '../../../sample/03-protected/start.js';
import { findFreePort } from '../../conformance/find-free-port.js';
import { CommandLine } from '../../support/programs/command-line.js';
import { PseudoTerminal } from '../../support/programs/pseudo-terminal.js';
import { until } from '../../support/until.js';

/** No screen, so that no browser is opened on the machine of whoever runs this. */
const NO_SCREEN = { DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', WSL_DISTRO_NAME: '' };
const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)/;

let home: string;
let desk: Started;
let url: string;
let terminal: PseudoTerminal | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
  desk = await start({ desk: 0, authorizationServer: 0 }, []);
  url = desk.url.href;
});

afterEach(async () => {
  await terminal?.end();
  terminal = undefined;
  await desk.stop();
  await rm(home, { recursive: true, force: true });
});

const run = (args: readonly string[]) =>
  new CommandLine(args, { environment: { ...NO_SCREEN, XDG_CONFIG_HOME: home } });

/** The files of logins; what a process that was interrupted had taken for itself is free again. */
const kept = async (): Promise<readonly string[]> => {
  const names = await readdir(join(home, 'nestjs-mcp')).catch(() => []);
  return names.filter((name) => !name.endsWith('.lock'));
};

/** Does what a browser and its user do, and gives the address at which they end. */
async function decide(page: URL, decision: 'allow' | 'deny' = 'allow'): Promise<string> {
  const callback = page.searchParams.get('redirect_uri') ?? '';
  return (await new ScriptedBrowser('ada').decide(page, callback, decision)).address.href;
}

describe('nestjs-mcp-cli login', () => {
  it('says what else the authorization server wants to know (CLI-20)', async () => {
    const options = ['--auth-param', 'audience=https://a.example?x=1', '--auth-param=prompt=select_account'];
    const line = run(['login', url, ...options]);
    const page = new URL(await line.says(ADDRESS));
    expect(page.searchParams.get('audience')).toBe('https://a.example?x=1');
    expect(page.searchParams.get('prompt')).toMatch(/^select_account/);
    line.interrupt();
    await line.ends();
  });

  it.each([
    'state=x',
    'redirect_uri=x',
    'client_id=x',
    'scope=x',
    'resource=x',
    'code_challenge=x',
    'request=x',
  ])('refuses to say by "--auth-param" what the login says itself: %s (CLI-20)', async (param) => {
    const { code, stderr } = await run(['login', url, '--auth-param', param]).ends();
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      `"--auth-param" must not contain "${param.split('=')[0]}": it is set by the login itself`,
    ]);
  });

  it.each(['tools', 'login'])(
    'has the browser come back where "%s" is told (CLI-09, CLI-20)',
    async (command) => {
      const port = await findFreePort();
      const options = ['--callback-port', String(port)];
      if (command === 'tools') {
        const file = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
        terminal = openTerminal([process.execPath, file, command, url, ...options]);
      }
      const line = command === 'tools' ? undefined : run([command, url, ...options]);
      const page = new URL((await line?.says(ADDRESS)) ?? (await shownAddress()));
      expect(page.searchParams.get('redirect_uri')).toBe(`http://127.0.0.1:${port}/callback`);
      await fetch(await decide(page));
      expect(line === undefined ? await terminal?.exitCode() : (await line.ends()).code).toBe(0);
    },
  );

  it('has the browser come back to a URL of this machine (CLI-09, CLI-20)', async () => {
    const redirectUri = `http://localhost:${await findFreePort()}/after/login`;
    const line = run(['login', url, '--redirect-uri', redirectUri]);
    const page = new URL(await line.says(ADDRESS));
    expect(page.searchParams.get('redirect_uri')).toBe(redirectUri);
    await fetch(await decide(page));
    expect((await line.ends()).code).toBe(0);
  });

  it.each([
    [
      ['--redirect-uri', 'https://app.example.com/callback'],
      '"--redirect-uri" must be an "http:" URL on this machine',
    ],
    [['--redirect-uri', 'x'], '"--redirect-uri" must be an "http:" URL on this machine'],
    [['--callback-port', '70000'], '"--callback-port" must be a port between 1 and 65535'],
    [
      ['--callback-port', '1', '--redirect-uri', 'http://localhost/x'],
      '"--redirect-uri" cannot be combined with',
    ],
    [['--auth-param', 'audience'], '"--auth-param" must be of the form "name=value"'],
    [['--auth-param', 'a=1', '--auth-param', 'a=2'], '"--auth-param" must not repeat a parameter'],
    [['--header', 'Authorization: Bearer x'], 'A login cannot have an "Authorization" header'],
  ])('ends with 2 for %j (CLI-20)', async (options, message) => {
    const { code, stderr } = await run(['login', url, ...options]).ends();
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('ends in the time that it is given (CLI-20)', async () => {
    const { code, stderr } = await run(['login', url, '--timeout', '1500']).ends();
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('The login was not completed within 1500 ms'),
    ]);
  });

  it('keeps no client id of a login that failed (CLI-20)', async () => {
    const wrong = ['--client-id', 'mistyped', '--issuer', desk.issuer, '--timeout', '1500'];
    expect((await run(['login', url, ...wrong]).ends()).code).toBe(3);
    expect(await kept()).toEqual([]);
    const line = run(['login', url]);
    const page = new URL(await line.says(ADDRESS));
    expect(page.searchParams.get('client_id')).not.toBe('mistyped');
    await fetch(await decide(page));
    expect((await line.ends()).code).toBe(0);
  });

  it('keeps nothing where its user says no, or presses Ctrl-C (CLI-20)', async () => {
    const denied = run(['login', url]);
    await fetch(await decide(new URL(await denied.says(ADDRESS)), 'deny'));
    expect((await denied.ends()).code).toBe(3);
    const interrupted = run(['login', url]);
    await interrupted.says(ADDRESS);
    interrupted.interrupt();
    await interrupted.ends();
    expect(await kept()).toEqual([]);
  });
});

function openTerminal(command: readonly string[]): PseudoTerminal {
  return new PseudoTerminal(command, { ...NO_SCREEN, XDG_CONFIG_HOME: home });
}

async function shownAddress(): Promise<string> {
  const match = await until(
    () => /(http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)\r/.exec(terminal?.shown ?? ''),
    'the address',
    20_000,
  );
  return match[1] ?? '';
}

describe('nestjs-mcp-cli login at a terminal, with a browser on another machine', () => {
  const file = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));

  async function begin(command: readonly string[]): Promise<URL> {
    terminal = openTerminal([process.execPath, file, ...command]);
    const page = new URL(await shownAddress());
    await terminal.shows('paste the last URL');
    return page;
  }

  it.each([
    ['the address', (address: string) => address],
    ['its query', (address: string) => new URL(address).search],
  ])('takes %s where that ended (CLI-09, CLI-20)', async (_, select) => {
    const page = await begin(['login', url]);
    terminal?.type(`${select(await decide(page))}\r`);
    expect(await terminal?.exitCode()).toBe(0);
    expect(terminal?.shown).toContain(`Logged in to ${url}`);
  });

  it('asks again for what is no address of this login (CLI-20)', async () => {
    const page = await begin(['call', url, 'list_tickets']);
    terminal?.type('\rhttp://127.0.0.1:1/elsewhere?code=x&state=y\r');
    await terminal?.shows('That is not the last URL');
    terminal?.type(`${await decide(page)}\r`);
    expect(await terminal?.exitCode()).toBe(0);
    expect(terminal?.shown).toContain('"tickets"');
  });

  it.each([
    ['state', 'state', 'another', 'must have the "state" of this login'],
    ['issuer', 'iss', 'https://evil.example', 'must have the issuer'],
  ])('takes no answer with another %s (CLI-09, CLI-20)', async (_, name, value, message) => {
    const page = await begin(['login', url]);
    const answer = new URL(await decide(page));
    answer.searchParams.set(name, value);
    terminal?.type(`${answer.href}\r`);
    expect(await terminal?.exitCode()).toBe(3);
    expect(terminal?.shown).toContain(message);
    expect(await kept()).toEqual([]);
  });

  it('goes on when the browser comes back by itself (CLI-20)', async () => {
    const page = await begin(['login', url]);
    terminal?.type('half an addr');
    await fetch(await decide(page));
    expect(await terminal?.exitCode()).toBe(0);
  });
});

describe('nestjs-mcp-cli doctor', () => {
  async function logIn(): Promise<void> {
    const line = run(['login', url]);
    await fetch(await decide(new URL(await line.says(ADDRESS))));
    expect((await line.ends()).code).toBe(0);
  }

  /** Lets the token that is kept end, and gives the file that it is kept in. */
  async function endKeptToken(): Promise<string> {
    const [name = ''] = await kept();
    const path = join(home, 'nestjs-mcp', name);
    const before = await readFile(path, 'utf8');
    await writeFile(path, before.replace(/"expiresAtMs": ?\d+/, '"expiresAtMs":1'));
    return path;
  }

  it('uses the stored login, and renews it (CLI-20, KIT-03)', async () => {
    expect((await run(['doctor', url]).ends()).stdout).toContain('No token was given');
    await logIn();
    expect((await run(['doctor', url]).ends()).stdout).toContain(
      'The token from the stored login is accepted',
    );
    const path = await endKeptToken();
    const { stdout, stderr } = await run(['doctor', url]).ends();
    expect(stdout).toContain('The token from the stored login is accepted');
    const secrets = [
      ...(await readFile(path, 'utf8')).matchAll(/"(?:accessToken|refreshToken)": ?"([^"]+)"/g),
    ];
    for (const [, secret = 'none'] of secrets) expect(stdout + stderr).not.toContain(secret);
  });

  it('uses the stored login for the public URL, if one process is examined (CLI-20, KIT-03)', async () => {
    await logIn();
    const process = url.replace('127.0.0.1', 'localhost');
    expect((await run(['doctor', process]).ends()).stdout).toContain('No token was given');
    const examine = ['doctor', process, '--public-url', url];
    expect((await run(examine).ends()).stdout).toContain('The token from the stored login is accepted');
    await endKeptToken();
    expect((await run(examine).ends()).stdout).toContain('The token from the stored login is accepted');
  });

  it('begins no login where what is kept has ended (CLI-20, KIT-03)', async () => {
    await logIn();
    const [name = ''] = await kept();
    const path = join(home, 'nestjs-mcp', name);
    const before = await readFile(path, 'utf8');
    const ended = before
      .replace(/"expiresAtMs": ?\d+/, '"expiresAtMs":1')
      .replace(/"refreshToken": ?"[^"]+"/, '"refreshToken":"gone"');
    await writeFile(path, ended);
    const { stdout, stderr } = await run(['doctor', url]).ends();
    expect(stdout).toContain('No token was given');
    expect(stderr).toContain('The stored login could not be used: The server requires a login');
  });
});
