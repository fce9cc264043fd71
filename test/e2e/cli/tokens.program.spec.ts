import { afterEach, describe, expect, it } from '@jest/globals';
import { bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { WhoamiTool } from '../../support/applications/whoami-tool.js';
import { FixtureEndpoint } from '../../support/fixture-endpoint.js';
import { runCommandLine } from '../../support/programs/command-line.js';
import { runHere } from '../../support/programs/run-here.js';

const TOKEN = CALLERS.ada.token;

/** By which options a token, or what else says who calls, is given. */
const WAYS: readonly (readonly [string, readonly string[], NodeJS.ProcessEnv])[] = [
  ['--token', ['--token', TOKEN], {}],
  ['--token before MCP_TOKEN', ['--token', TOKEN], { MCP_TOKEN: 'another' }],
  ['--token-env', ['--token-env', 'DESK'], { DESK: TOKEN, MCP_TOKEN: 'another' }],
  ['MCP_TOKEN', [], { MCP_TOKEN: TOKEN }],
  ['--header', ['--header', `Authorization: Bearer ${TOKEN}`], {}],
  [
    '--header-env',
    ['--header-env', 'Authorization: DESK'],
    { DESK: `Bearer ${TOKEN}`, MCP_TOKEN: 'another' },
  ],
  ['--header before MCP_TOKEN', ['--header', `Authorization: Bearer ${TOKEN}`], { MCP_TOKEN: 'another' }],
];

const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['tools'],
  ['call', 'whoami'],
  ['resources'],
  ['prompts'],
  ['doctor'],
];

describe.each(COMMANDS)('nestjs-mcp %s', (command, ...rest) => {
  let desk: RunningApp | undefined;

  afterEach(async () => {
    await desk?.close();
    desk = undefined;
  });

  it.each(WAYS)('sends what it is given by %s (CLI-17, CLI-20)', async (_, options, environment) => {
    desk = await bootDesk('express', { providers: [WhoamiTool] });
    const names = rest.filter((one) => typeof one === 'string');
    const { code, stdout, stderr } = await runHere([command, desk.url, ...names, ...options], {
      environment,
    });
    // The desk names nobody who gives tokens, which the doctor does not like.
    const isTaken = command === 'doctor' ? /^ok +token +The .* is accepted$/m.test(stdout) : code === 0;
    expect({ isTaken, stderr }).toEqual({
      isTaken: true,
      stderr: command === 'resources' || command === 'prompts' ? `The server has no ${command}\n` : '',
    });
    expect(stdout + stderr).not.toContain(TOKEN);
  });

  it.each([
    [['--token', 'a b'], '"--token" must be visible ASCII'],
    [['--token', 'a', '--token-env', 'B'], '"--token" cannot be combined with "--token-env"'],
    [['--token-env', 'NOT_SET'], 'NOT_SET is not set in this terminal: export it first'],
    [
      ['--token', 'a', '--header', 'Authorization: B'],
      '"--token" cannot be combined with another "Authorization"',
    ],
    [['--header', 'no colon'], '"--header" must be of the form "Name: value"'],
    [['--header-env', 'no colon'], '"--header-env" must be of the form "Name: VARIABLE"'],
    [['--header-env', 'X-Key: NOT_SET'], 'NOT_SET is not set in this terminal: export it first'],
  ])('ends with 2 for %j (CLI-20)', async (options, message) => {
    const { code, stdout, stderr } = await runHere([command, 'http://127.0.0.1:1/mcp', ...options], {
      environment: { NOT_SET: '' },
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      command === 'call' && !stderr.includes(message) ? 'the name of a tool' : message,
    );
  });
});

/** Every command that asks a server at a URL. */
const ASKING: readonly (readonly [string, ...string[]])[] = [
  ...COMMANDS,
  ['lint'],
  ['bench'],
  ['login'],
  ['card'],
];

describe('commands that ask a server', () => {
  it.each(ASKING)('"%s" sends headers with every request (CLI-20)', async (command, ...rest) => {
    const endpoint = await FixtureEndpoint.start();
    try {
      const names = rest.filter((one) => typeof one === 'string');
      const headers = ['--header-env', 'X-Gateway: GATEWAY', '--header', 'x-tenant: north'];
      // What measures starts a process of its own, whose file is there when it is compiled.
      const run = command === 'bench' ? runCommandLine : runHere;
      await run([command, endpoint.url, ...names, ...headers], {
        environment: { GATEWAY: 'secret' },
      });
      const seen = endpoint.requests.map((one) => [one.headers['x-gateway'], one.headers['x-tenant']]);
      expect(seen.length).toBeGreaterThan(0);
      expect(new Set(seen.map(String))).toEqual(new Set(['secret,north']));
    } finally {
      await endpoint.stop();
    }
  });
});
