import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../cli/commands.js';
import { runCommand } from '../../../cli/run-command.js';
import { findFreePort } from '../../conformance/find-free-port.js';
import { FixtureEndpoint } from '../../support/fixture-endpoint.js';
import { SELF_SIGNED } from '../../support/self-signed.js';

let printed: string[];
let complaints: string[];

beforeEach(() => {
  printed = [];
  complaints = [];
});

function run(
  args: readonly string[],
  environment: { readonly [name: string]: string } = {},
): Promise<number> {
  return runCommand(args, COMMANDS, {
    environment,
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
  });
}

function readFindings(): readonly { readonly id: string; readonly status: string; readonly found: string }[] {
  return JSON.parse(printed.join('\n')) as ReturnType<typeof readFindings>;
}

describe('The command line', () => {
  it.each([[[]], [['docter']]])('names its commands where %j is none (KIT-03)', async (args) => {
    expect(await run(args)).toBe(2);
    expect(complaints.join('\n')).toContain('\n  doctor <url or file> ');
    expect(printed).toEqual([]);
  });

  it.each(COMMANDS.map(({ name, usage }) => [name, usage.includes('file')] as const))(
    'names a file in the usage of "%s" only if the command takes one: %s (KIT-03)',
    async (name, takesFile) => {
      await run([name, '--help']);
      const [synopsis = ''] = printed.join('\n').split('\n\n');
      expect(/<(?:url or )?file>/.test(synopsis)).toBe(takesFile);
    },
  );

  it('tells its version and its usage (KIT-03)', async () => {
    expect(await run(['--version'])).toBe(0);
    expect(printed.join('')).toMatch(/^\d+\.\d+\.\d+/);
    expect(await run(['--help'])).toBe(0);
    expect(printed.join('\n')).toMatch(/\n {2}<command> --help {2,}Show the options of a command/);
    expect(await run(['doctor', '--help'])).toBe(0);
    expect(printed.join('\n')).toContain('--timeout <ms>');
  });

  it('tells an option that is not known from a command that is not (KIT-03)', async () => {
    expect(await run(['-v'])).toBe(2);
    expect(complaints[0]).toBe('Unknown option "-v"');
    expect(await run(['doc\u009btor'])).toBe(2);
    expect(complaints[2]).toBe('Unknown command "doc\u{fffd}tor": did you mean "doctor"?');
    expect(await run(['frobnicate'])).toBe(2);
    expect(complaints[4]).toBe('Unknown command "frobnicate"');
    expect(await run(['--versoin'])).toBe(2);
    expect(complaints[6]).toBe('Unknown option "--versoin": did you mean "--version"?');
  });

  it('takes "help" as a command (KIT-03)', async () => {
    expect(await run(['help'])).toBe(0);
    expect(printed.join('\n')).toMatch(/^Usage: nestjs-mcp-cli <command>/);
    printed.length = 0;
    expect(await run(['help', 'lint'])).toBe(0);
    expect(printed.join('\n')).toMatch(/^Usage: nestjs-mcp-cli lint /);
    expect(await run(['help', 'lnt'])).toBe(2);
    expect(complaints[0]).toBe('Unknown command "lnt": did you mean "lint"?');
  });

  it.each(COMMANDS.map(({ name }) => name))('says what "%s" does, in its usage (KIT-03)', async (name) => {
    expect(await run([name, '--help'])).toBe(0);
    expect(printed.join('\n')).toMatch(
      new RegExp(`^Usage: nestjs-mcp-cli ${name} .*\n\n[A-Z].*\\.\n\n(?:[A-Z]\\w+:\n)? {2}\\S`, 's'),
    );
  });
});

describe('"doctor"', () => {
  const url = 'http://127.0.0.1:1/mcp';

  it.each([
    ['no URL', []],
    ['two URLs', [url, url]],
    ['a URL that is none', ['127.0.0.1:3000']],
    ['another scheme', ['ftp://127.0.0.1/mcp']],
    ['a password in the URL', ['http://ada:secret-of-ada@127.0.0.1/mcp']],
    ['an option that is not known', [url, '--tokn=secret-of-ada']],
    ['an option without its value', [url, '--token']],
    ['a time-out of nothing', [url, '--timeout', '0']],
    ['a time-out beyond all patience', [url, '--timeout', '999999']],
    ['a header that is none', [url, '--header', 'secret-of-ada']],
    ['a header of two lines', [url, '--header', 'x-a: secret-of-ada\r\nx-b: 1']],
    ['a token with a space', [url, '--token', 'Bearer secret-of-ada']],
    ['an origin with a path', [url, '--origin', 'https://app.example.com/']],
  ])('ends with 2 upon %s, and repeats no value (KIT-03)', async (_, args) => {
    expect(await run(['doctor', ...args])).toBe(2);
    expect(complaints.join('\n')).toContain('Usage: nestjs-mcp-cli doctor');
    expect(complaints.join('\n')).not.toContain('secret-of-ada');
  });

  it.each([
    [[url, '--tokn', 'secret-of-ada'], '--tokn'],
    [[url, '--json', '--tokn=secret-of-ada', '--other'], '--tokn'],
    [[url, '-t', 'secret-of-ada'], '-t'],
  ])('names the option that is not known, without its value: %j (KIT-03)', async (args, name) => {
    expect(await run(['doctor', ...args])).toBe(2);
    expect(complaints.join('\n').split('\n')[0]).toContain(`Unknown option "${name}"`);
  });

  it.each([
    [['--token', 'a b'], {}, '"--token" must be'],
    [[], { MCP_TOKEN: 'a b' }, '"MCP_TOKEN" must be'],
  ])(
    'says where the token came from that cannot be one: %j %j (KIT-03)',
    async (args, environment, start) => {
      expect(await run(['doctor', url, ...args], environment)).toBe(2);
      expect(complaints[0]).toMatch(new RegExp(`^${start}`));
    },
  );

  it('ends with 2 where nobody listens (KIT-03)', async () => {
    const args = [`http://127.0.0.1:${await findFreePort()}/mcp`, '--json'];
    expect(await run(['doctor', ...args])).toBe(2);
    expect(readFindings()).toMatchObject([{ id: 'reachable', status: 'error' }]);
  });

  describe('of an endpoint', () => {
    let endpoint: FixtureEndpoint;

    afterEach(() => endpoint.stop());

    it('ends with 0 if there is no error, and counts (KIT-03)', async () => {
      endpoint = await FixtureEndpoint.start();
      expect(await run(['doctor', endpoint.url])).toBe(0);
      expect(printed.join('\n')).toMatch(/^ok {7}reachable .*127\.0\.0\.1/);
      expect(printed.join('\n')).toMatch(/\d+ checks: 0 errors, 0 warnings$/);
    });

    it('ends with 1 if there is an error, and says how to fix it (KIT-03)', async () => {
      endpoint = await FixtureEndpoint.start({ allowsAnonymous: 'origin' });
      expect(await run(['doctor', endpoint.url])).toBe(1);
      expect(printed.join('\n')).toMatch(/^error {4}origin .*\n +-> Reject every "Origin"/m);
      expect(printed.join('\n')).toContain('1 error, 0 warnings');
    });

    it('takes the token from the environment (KIT-03)', async () => {
      endpoint = await FixtureEndpoint.start({ token: 'token-of-the-desk' });
      expect(await run(['doctor', endpoint.url, '--json'], { MCP_TOKEN: 'token-of-the-desk' })).toBe(0);
      expect(readFindings().find(({ id }) => id === 'token')?.found).toBe('The token is accepted');
    });

    it('shows nothing that a terminal would obey (KIT-03)', async () => {
      endpoint = await FixtureEndpoint.start({
        handshake: { protocolVersion: '\u001b[2J\u009b31m', capabilities: {} },
      });
      expect(await run(['doctor', endpoint.url])).toBe(1);
      expect(printed.join('\n')).not.toMatch(/[^\n\x20-\x7e…]/);
    });

    it('ends in time where nothing is answered (KIT-03)', async () => {
      endpoint = await FixtureEndpoint.start({ takeOver: () => true });
      expect(await run(['doctor', endpoint.url, '--timeout', '200', '--json'])).toBe(1);
      expect(readFindings().at(-1)).toMatchObject({ id: 'redirect', status: 'error' });
    });

    it('finds that a port speaks no TLS (KIT-03)', async () => {
      endpoint = await FixtureEndpoint.start();
      expect(await run(['doctor', endpoint.url.replace('http:', 'https:'), '--json'])).toBe(1);
      expect(readFindings().at(-1)).toMatchObject({ id: 'tls', status: 'error' });
    });
  });

  it('finds a certificate that nobody has signed, and sends nothing (KIT-03)', async () => {
    let requests = 0;
    const server = createServer(SELF_SIGNED, () => requests++).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await run(['doctor', `https://localhost:${port}/mcp`, '--json'])).toBe(1);
    expect(readFindings().at(-1)).toMatchObject({ id: 'tls', status: 'error' });
    expect(readFindings().at(-1)?.found).toContain('SELF_SIGNED');
    expect(requests).toBe(0);
    server.close();
    await once(server, 'close');
  });
});
