import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { McpModule, type DpopOptions, type GivenClaims } from 'nestjs-mcp';
import { findFreePort } from '../../conformance/find-free-port.js';
import { LoginServer } from '../../support/authorization/login-server.js';
import { Visitor } from '../../support/clients/visitor.js';
import { CommandLine } from '../../support/programs/command-line.js';

/** No screen, so that no browser is opened on the machine of whoever runs this. */
const NO_SCREEN = { DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', WSL_DISTRO_NAME: '' };
const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)/;

let home: string;
let login: LoginServer;
let app: INestApplication;
let url: string;

async function start(dpop: DpopOptions['mode'] | DpopOptions): Promise<void> {
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}/mcp`;
  login = await LoginServer.start({ resources: [url] });
  const validate = async (token: string): Promise<GivenClaims | undefined> => {
    const found = await login.find(token);
    return found && { sub: 'ada', scopes: found.scopes, extra: found.jkt ? { cnf: { jkt: found.jkt } } : {} };
  };
  const auth = { resourceUri: url, authorizationServers: [login.issuer], validator: { validate }, dpop };
  const serverInfo = { name: 'desk', version: '1.0.0' };
  app = await NestFactory.create(McpModule.forRoot({ serverInfo, auth }), {
    logger: false,
    forceCloseConnections: true,
  });
  await app.listen(port, '127.0.0.1');
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
});
afterEach(async () => {
  await app.close();
  await login.stop();
  await rm(home, { recursive: true, force: true });
});

const run = (args: readonly string[]) =>
  new CommandLine(args, { environment: { ...NO_SCREEN, XDG_CONFIG_HOME: home } });

/** Logs in by the URL that is printed; the user decides at once. */
async function logIn(...options: readonly string[]) {
  const line = run(['login', url, ...options]);
  await new Visitor().open(await line.says(ADDRESS));
  return line.ends();
}

async function readKept(): Promise<string> {
  const [file = ''] = await readdir(join(home, 'nestjs-mcp'));
  return readFile(join(home, 'nestjs-mcp', file), 'utf8');
}

describe('nestjs-mcp-cli login, at a server that takes bound tokens (RFC 9449)', () => {
  it('gets such by itself where there are no others, for later commands too (CLI-20) (XTN-03)', async () => {
    await start({ mode: 'required', nonce: true });
    expect(await logIn()).toMatchObject({ code: 0, stdout: expect.stringContaining(`Logged in to ${url}`) });
    expect(await readKept()).toContain('"dpopKey"');
    expect(await run(['tools', url]).ends()).toMatchObject({ code: 0, stderr: 'The server has no tools\n' });
  });

  it.each([{ mode: 'required', nonce: true }, { mode: 'allowed' }] as const)(
    'keeps what "doctor" needs to be let in, by %j (CLI-20) (XTN-03)',
    async (dpop) => {
      await start(dpop);
      expect(await logIn('--dpop')).toMatchObject({ code: 0 });
      const { stdout } = await run(['doctor', url, '--json']).ends();
      const findings = JSON.parse(stdout) as readonly { id: string; status: string; found: string }[];
      expect(findings.find(({ id }) => id === 'token')).toMatchObject({
        status: 'ok',
        found: 'The token from the stored login is accepted, with proofs signed by its key',
      });
      expect(findings.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['session', 'stream', 'session-end']),
      );
    },
  );

  it('proves for the public URL what it asks of one process (CLI-20) (XTN-03)', async () => {
    await start({ mode: 'required', nonce: true });
    expect(await logIn()).toMatchObject({ code: 0 });
    const process = url.replace('127.0.0.1', 'localhost');
    const { stdout } = await run(['doctor', process, '--public-url', url]).ends();
    expect(stdout).toContain('The token from the stored login is accepted, with proofs signed by its key');
  });

  it('gets such by "--dpop" where it takes others (CLI-20) (XTN-03)', async () => {
    await start('allowed');
    expect(await logIn()).toMatchObject({ code: 0 });
    expect(await readKept()).not.toContain('"dpopKey"');
    expect(await logIn('--dpop')).toMatchObject({ code: 0 });
    expect(await readKept()).toContain('"dpopKey"');
    expect(await run(['tools', url]).ends()).toMatchObject({ code: 0, stderr: 'The server has no tools\n' });
  });
});
