import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { CommandLine, runCommandLine, type Ending } from '../../support/programs/command-line.js';
import { until } from '../../support/until.js';

const OTHERS = fileURLToPath(new URL('../../../.build/test/programs/others/tool-server.js', import.meta.url));
const TASKS = fileURLToPath(new URL('../../../.build/test/programs/task-server.js', import.meta.url));
const COMMAND = ['--', process.execPath, OTHERS];

/** Runs a command at the server of another package. */
function run(args: readonly string[], env: readonly string[] = []): Promise<Ending> {
  return runCommandLine([...args, ...env.flatMap((one) => ['--env', one]), ...COMMAND]);
}

/** Finds the processes of this user whose arguments have a text. */
async function findProcesses(text: string): Promise<readonly string[]> {
  const listing = spawn('ps', ['-A', '-o', 'pid=,args=']);
  let listed = '';
  listing.stdout.setEncoding('utf8').on('data', (chunk: string) => (listed += chunk));
  await new Promise((resolve) => listing.once('close', resolve));
  return listed.split('\n').filter((line) => line.includes(text) && !line.includes('cli/dist/main.js'));
}

describe('the command line at a server that it starts', () => {
  it('lists, calls, reads and gets (CLI-20)', async () => {
    const endings = [
      await run(['tools']),
      await run(['call', 'greet', 'name=Ada']),
      await run(['resources', 'note://one']),
      await run(['prompts', 'ask']),
    ];
    for (const { code, stderr } of endings) expect([code, stderr]).toEqual([0, '']);
    expect(endings.map(({ stdout }) => stdout)).toEqual([
      expect.stringContaining('greet\n  name  string, required\n'),
      'hello, Ada\n',
      'noted\n',
      'user: asked\n',
    ]);
  });

  it('lints what it lists (CLI-20)', async () => {
    const { stdout } = await run(['lint']);
    expect(stdout).toContain('tool "greet" has no description');
  });

  it('speaks 2026-07-28 with a server that serves it, and follows its tasks (CLI-20)', async () => {
    const { code, stdout, stderr } = await runCommandLine([
      ...['call', 'work', 'name=bread', '--env', 'TRANSPORT=stdio'],
      ...['--', process.execPath, TASKS],
    ]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^bread is done/)]);
    expect(stderr).toMatch(/task \S+: completed/);
  });

  it('passes on the variables that are named, and no others (CLI-20)', async () => {
    const environment = { SECRET: 'of the shell' };
    const call = ['call', 'tell'];
    const named = runCommandLine([...call, '--env', 'SECRET', ...COMMAND], { environment });
    const given = runCommandLine([...call, '--env', 'SECRET=a b', ...COMMAND], { environment });
    const none = runCommandLine([...call, ...COMMAND], { environment });
    const told = await Promise.all([named, given, none]);
    expect(told.map(({ stdout }) => stdout)).toEqual(['of the shell\n', 'a b\n', 'no secret\n']);
  });

  it('starts it in the folder that is named (CLI-20)', async () => {
    const { stdout } = await run(['call', 'where', '--cwd', tmpdir()]);
    expect(stdout.trim()).toBe(await realpath(tmpdir()));
  });

  it('does not mind what is no message on its standard output (CLI-20)', async () => {
    const { code, stdout } = await run(['call', 'greet', 'name=Ada'], ['NOISE=starting']);
    expect([code, stdout]).toEqual([0, 'hello, Ada\n']);
  });

  it('gives a server that ends at what it does not know the handshake that it knows (CLI-20)', async () => {
    const { code, stdout } = await run(['call', 'greet', 'name=Ada'], ['DIE_AT=server/discover']);
    expect([code, stdout]).toEqual([0, 'hello, Ada\n']);
  });

  it('says that it ended, by which code, and what it wrote (CLI-20)', async () => {
    const { code, stdout, stderr } = await run(
      ['call', 'greet', 'name=Ada'],
      ['DIE_AT=tools/call', 'LOG=no \u001b[31mdatabase'],
    );
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain('  | no \u{fffd}[31mdatabase\n');
    expect(stderr).toMatch(/tool-server\.js" exited with code 7 before it responded/);
  });

  it('says so where there is no such program (CLI-20)', async () => {
    const { code, stderr } = await runCommandLine(['tools', '--', 'no-such-program']);
    expect([code, stderr]).toEqual([
      4,
      'The server "no-such-program" cannot be started (ENOENT): make sure that the program is installed\n',
    ]);
  });

  it('gives up a server that does not answer (CLI-20)', async () => {
    const silent = ['--', process.execPath, '-e', 'setInterval(() => undefined, 1000)'];
    const { code, stderr } = await runCommandLine(['tools', '--timeout', '300', ...silent]);
    expect([code, stderr]).toEqual([4, expect.stringContaining('did not respond in time')]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves no process behind after %s (CLI-20)',
    async (signal) => {
      const marker = `marker-${process.pid}-${signal}`;
      const server = `'${process.execPath}' '${OTHERS}' ${marker}; true`;
      const line = new CommandLine(['call', 'wait', '--env', 'STAY=1', '--', 'sh', '-c', server]);
      await until(async () => (await findProcesses(marker)).length > 1, 'the server', 30_000);
      line.signal(signal);
      expect((await line.ends()).code).toBeNull();
      expect(await findProcesses(marker)).toEqual([]);
    },
  );

  it('leaves no process behind that ignores the end of its input (CLI-20)', async () => {
    const marker = `marker-${process.pid}-done`;
    const server = `'${process.execPath}' '${OTHERS}' ${marker}; true`;
    const { code } = await runCommandLine(['tools', '--env', 'STAY=1', '--', 'sh', '-c', server]);
    expect([code, await findProcesses(marker)]).toEqual([0, []]);
  });

  it.each<[string, readonly string[], string]>([
    ['no server', ['tools'], 'Expected one server'],
    [
      'a command without "--"',
      ['tools', 'npx', 'some-server'],
      'to start a server, pass its command after "--"',
    ],
    ['both', ['tools', 'http://127.0.0.1/mcp', ...COMMAND], 'Expected one server'],
    ['no command', ['tools', '--'], 'Missing command after "--", such as npx some-server'],
    ['a token', ['tools', '--token', 'x', ...COMMAND], '"--token" applies only to a server at a URL'],
    [
      'variables of a URL',
      ['tools', 'http://127.0.0.1/mcp', '--env', 'A=1'],
      '"--env" applies only to a server',
    ],
    ['a file of lint', ['lint', '--server', 'a', ...COMMAND], '"--server" applies only to the app in a file'],
    ['an unset variable', ['tools', '--env', 'NOT_SET', ...COMMAND], 'NOT_SET is not set in this terminal'],
  ])('ends with 2 and a sentence for %s (CLI-20)', async (_, args, message) => {
    const { code, stderr } = await runCommandLine(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
