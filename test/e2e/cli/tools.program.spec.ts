import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { findFreePort } from '../../conformance/find-free-port.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { CommandLine, runCommandLine } from '../../support/programs/command-line.js';
import { runHere } from '../../support/programs/run-here.js';
import { FixtureEndpoint } from '../../support/fixture-endpoint.js';

const Guest = z.object({
  name: z.string().describe('Who is greeted'),
  mood: z.enum(['calm', 'merry']).optional(),
  tags: z.array(z.string()).optional(),
});

@Injectable()
class ListedTools {
  @Tool({ description: 'Greets\nsomebody', inputSchema: Guest })
  greet() {
    return 'Hello';
  }

  @Tool()
  ping() {
    return 'pong';
  }
}

@Injectable()
class TurningTools {
  @Tool({ description: 'Turns \u009b31m\u202eround' })
  turn() {
    return 'turned';
  }
}

describe('nestjs-mcp-cli tools', () => {
  let desk: RunningApp | undefined;

  afterEach(async () => {
    await desk?.close();
    desk = undefined;
  });

  it('lists what there is and what it takes (CLI-20)', async () => {
    desk = await bootServer({ providers: [ListedTools] });
    const { code, stdout, stderr } = await runHere(['tools', desk.url]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'greet  Greets somebody',
      '  name  string, required · Who is greeted',
      '  mood  "calm" | "merry"',
      '  tags  list of string',
      '',
      'ping',
      '',
    ]);
  });

  it('prints the tools as the server has them (CLI-20)', async () => {
    desk = await bootServer({ providers: [ListedTools] });
    const { stdout } = await runHere(['tools', desk.url, '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'greet', inputSchema: { type: 'object' } }, {}]);
  });

  it('prints them without what a terminal obeys, which JSON escapes (CLI-20)', async () => {
    desk = await bootServer({ providers: [TurningTools] });
    const { stdout } = await runHere(['tools', desk.url, '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ description: 'Turns \u009b31m\u202eround' }]);
    expect(stdout).toContain('Turns \\u009b31m\\u202eround');
  });

  it('says so where there are none (CLI-20)', async () => {
    desk = await bootServer();
    expect(await runHere(['tools', desk.url])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The server has no tools\n',
    });
  });

  it('waits for no server that does not let its session go (CLI-20)', async () => {
    const endpoint = await FixtureEndpoint.start({
      takeOver: ({ method, rpc }, response) => {
        if (rpc === 'server/discover') response.writeHead(404).end();
        return rpc === 'server/discover' || method === 'DELETE';
      },
    });
    const { code } = await runHere(['tools', endpoint.url]);
    const farewells = endpoint.requests.filter(({ method }) => method === 'DELETE');
    await endpoint.stop();
    expect([code, farewells.length]).toEqual([0, 1]);
  });

  it('ends with 4 where the server begins no answer in time (CLI-20)', async () => {
    const endpoint = await FixtureEndpoint.start({ takeOver: () => true });
    const { code, stderr } = await runHere(['tools', endpoint.url, '--timeout', '200']);
    await endpoint.stop();
    expect([code, stderr]).toEqual([4, expect.stringContaining('did not respond')]);
  });

  it('ends in peace where whoever reads its output has seen enough (CLI-20)', async () => {
    desk = await bootServer({ providers: [ListedTools] });
    const line = new CommandLine(['tools', desk.url]);
    line.stopReading();
    expect(await line.ends()).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends with 1 and a sentence where its output takes nothing (CLI-20)', async () => {
    desk = await bootServer({ providers: [ListedTools] });
    // A device of Linux that is always full.
    const command = `'${process.execPath}' cli/dist/main.js tools ${desk.url} >/dev/full`;
    const ending = await promisify(execFile)('sh', ['-c', command]).catch((error: unknown) => error);
    expect(ending).toMatchObject({ code: 1, stderr: 'The output cannot be written (ENOSPC)\n' });
  });

  it('ends with 2, 3 and 4 as "call" does (CLI-20)', async () => {
    const auth = { bearer: { token: 'token-of-the-desk', subject: 'tester' } };
    desk = await bootServer({ options: { auth }, providers: [ListedTools] });
    const environment = { DESK_TOKEN: 'wrong-token' };
    const refused = runHere(['tools', desk.url, '--token-env', 'DESK_TOKEN'], { environment });
    const unknown = runHere(['tools', `http://127.0.0.1:${await findFreePort()}/mcp`]);
    const codes = [await runHere(['tools']), await refused, await unknown].map(({ code }) => code);
    expect(codes).toEqual([2, 3, 4]);
  });

  it('sends no token that others could read, and says so where one is wanted (CLI-20)', async () => {
    const endpoint = await FixtureEndpoint.start({
      takeOver: (_, response) => {
        response.writeHead(401).end();
        return true;
      },
    });
    // Leads to this machine, which is not known by the name.
    const url = endpoint.url.replace('127.0.0.1', '0.0.0.0');
    // The process of the tests asks no machine but itself, by the names that it knows.
    const { code, stderr } = await runCommandLine(['tools', url]);
    await endpoint.stop();
    expect([code, stderr]).toEqual([3, expect.stringContaining('to other machines only over HTTPS')]);
  });

  it('says how a token is given, where the server names nobody with whom one could log in (CLI-20)', async () => {
    const auth = { bearer: { token: 'token-of-the-desk', subject: 'tester' } };
    desk = await bootServer({ options: { auth }, providers: [ListedTools] });
    const home = await mkdtemp(join(tmpdir(), 'home-'));
    const environment = { XDG_CONFIG_HOME: home };
    const { code, stdout, stderr } = await runHere(['tools', desk.url], { environment });
    await rm(home, { recursive: true, force: true });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toBe(
      'The server requires a token, but does not name an authorization server: pass a token with "--token-env" ("login" may still work if it is a 2025-03-26 server)\n',
    );
  });

  it('shows its help (CLI-20)', async () => {
    const { code, stdout } = await runHere(['tools', '--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('help connection')]);
  });
});
