import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../support/programs/command-line.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const HOSTILE = fileURLToPath(new URL('../../../.build/test/programs/hostile-server.js', import.meta.url));
const MOST_BYTES = 400_000_000;
const TEST_MS = 120_000;
/** Has a command say at its end how many bytes it has had at most. */
const MEASURING = `data:text/javascript,process.once('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS*1024))`;

let program: NodeProgram;
let origin = '';
let home = '';

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nestjs-mcp-'));
  program = new NodeProgram(HOSTILE);
  await program.prints('ready');
  origin = /ready (\S+)/.exec(program.stdout)?.[1] ?? '';
});

afterAll(async () => {
  await program.stop('SIGKILL');
  await rm(home, { recursive: true });
});

/** Runs a command with little memory at a hostile server. */
async function attack(path: string, [command = '', ...args]: readonly string[]) {
  const { code, stdout, stderr } = await runCommandLine([command, `${origin}/${path}`, ...args], {
    nodeOptions: ['--max-old-space-size=256', '--import', MEASURING],
    environment: { HOME: home, XDG_CONFIG_HOME: home },
  });
  const [said = '', peak = ''] = stderr.split('peak ');
  expect(Number(peak)).toBeLessThan(MOST_BYTES);
  process.stdout.write(`${command} ${path}: at most ${Math.round(Number(peak) / 1_000_000)} MB\n`);
  return { code, stdout, said };
}

const COMMANDS = [
  ['tools'],
  ['call', 'get'],
  ['resources'],
  ['resources', 'shop://stock'],
  ['prompts'],
  ['lint'],
  ['login'],
  ['bench', '--seconds', '2'],
] as const;

const ATTACKS = [
  { name: 'line-without-end', unit: 'event' },
  { name: 'json-without-end', unit: 'response' },
  { name: 'gzip-bomb', unit: 'response' },
] as const;

const ROWS = COMMANDS.flatMap((command) => ATTACKS.map((one) => ({ ...one, command: [...command] })));

describe('A command with 256 MB of heap at a hostile server', () => {
  it.each(ROWS)(
    'ends with an error that names the limit: $command at $name (PEER-07)',
    async ({ command, name, unit }) => {
      const { code, said } = await attack(name, command);
      const limit = `sent more than 8388608 bytes in one ${unit}: accept more with "--max-bytes 16777216"`;
      expect([code, said]).toEqual([4, `"${origin}/${name}" ${limit}\n`]);
    },
    TEST_MS,
  );

  it.each([['tools'], ['call', 'get'], ['lint'], ['bench']])(
    'reads no list whose pages have no end: %s (PEER-07)',
    async (...command) => {
      const { code, said } = await attack('pages-without-end', command);
      expect(code).toBe(4);
      expect(said).toContain(
        'sent more than 8388608 bytes in one list: accept more with "--max-bytes 16777216"',
      );
    },
    TEST_MS,
  );

  it.each([
    ['refusal-without-end', 'tools', 3],
    ['fault-without-end', 'tools', 4],
    ['headers-without-end', 'tools', 4],
    ['events-for-ever', 'tools', 4],
  ])(
    'ends as at any other server that answers so: %s (PEER-07)',
    async (name, command, expected) => {
      const { code } = await attack(name, [command, '--timeout', '3000']);
      expect(code).toBe(expected);
    },
    TEST_MS,
  );

  it.each([
    'first/json-without-end',
    'first/line-without-end',
    'first/gzip-bomb',
    'first/headers-without-end',
  ])(
    'examines a server that has no end: doctor, %s (PEER-07)',
    async (path) => {
      const { code } = await attack(path, ['doctor', '--timeout', '2000']);
      expect(code).toBe(1);
    },
    TEST_MS,
  );

  it(
    'prints no card that has no end (PEER-07)',
    async () => {
      const { code, said } = await attack('first/json-without-end', ['card', '--timeout', '5000']);
      expect(code).toBe(1);
      expect(said).toContain('was not complete within 5000 ms and 524288 bytes');
    },
    TEST_MS,
  );

  it(
    'accepts a result of 5 MB, and of as much more as it is told (PEER-07)',
    async () => {
      const { code, stdout } = await attack('legal', ['call', 'get']);
      expect([code, stdout.length]).toEqual([0, 5_000_001]);
      const less = await attack('legal', ['call', 'get', '--max-bytes', '4000000']);
      expect(less).toMatchObject({ code: 4, stdout: '' });
      expect(less.said).toContain('accept more with "--max-bytes 8000000"');
    },
    TEST_MS,
  );
});
