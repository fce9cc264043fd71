import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../support/programs/node-program.js';
import { runCommandLine } from '../../support/programs/command-line.js';

const PROGRAMS = new URL('../../../.build/test/programs/', import.meta.url);
const OTHERS = fileURLToPath(new URL('others/tool-server.js', PROGRAMS));
const OURS = fileURLToPath(new URL('task-server.js', PROGRAMS));

interface Line {
  readonly id: string;
  readonly status: string;
  readonly found: string;
}

async function examine(file: string, ...env: readonly string[]) {
  const options = env.flatMap((one) => ['--env', one]);
  const { code, stdout } = await runCommandLine([
    'doctor',
    '--json',
    ...options,
    '--',
    process.execPath,
    file,
  ]);
  return { code, lines: JSON.parse(stdout) as readonly Line[] };
}

describe('nestjs-mcp-cli doctor at a server that it starts', () => {
  it('finds nothing at a server of this package, on either wire (CLI-20)', async () => {
    const { code, lines } = await examine(OURS, 'TRANSPORT=stdio');
    expect([code, lines.filter(({ status }) => status === 'error')]).toEqual([0, []]);
    expect(lines.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'process',
        'discover',
        'handshake',
        'lists',
        'catalog',
        'standard-output',
        'process-end',
      ]),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ id: 'discover', found: expect.stringMatching(/^2026-07-28 is supported/) }),
    );
  });

  it('takes a server of another package for what it is (CLI-20)', async () => {
    const { code, lines } = await examine(OTHERS);
    expect(code).toBe(0);
    expect(lines).toContainEqual(
      expect.objectContaining({
        id: 'lists',
        found: 'The server lists everything that it declares: 5 tools, 1 resource, 1 prompt',
      }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ id: 'standard-output', status: 'ok' }));
    expect(lines).toContainEqual(expect.objectContaining({ id: 'process-end', status: 'ok' }));
  });

  it('names what is no message on standard output (CLI-20)', async () => {
    const { code, lines } = await examine(OTHERS, 'NOISE=Server started');
    expect(code).toBe(1);
    const found = lines.find(({ id }) => id === 'standard-output');
    expect(found).toMatchObject({
      status: 'error',
      found: expect.stringContaining('not messages: "Server started"'),
    });
  });

  it('says that a server stays when its input has ended (CLI-20)', async () => {
    const { lines } = await examine(OTHERS, 'STAY=1');
    expect(lines).toContainEqual(expect.objectContaining({ id: 'process-end', status: 'warning' }));
  });

  it('examines the rest of a server that ends at what it does not know (CLI-20)', async () => {
    const { code, lines } = await examine(OTHERS, 'DIE_AT=server/discover');
    expect(code).toBe(0);
    expect(lines).toContainEqual(
      expect.objectContaining({ id: 'discover', found: expect.stringContaining('exited with code 7') }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ id: 'catalog', status: 'ok' }));
  });

  it('says how it ended, and what it wrote, where it gives no answer (CLI-20)', async () => {
    const { code, lines } = await examine(OTHERS, 'DIE_AT=initialize', 'LOG=no database');
    expect([code, lines.length]).toEqual([2, 1]);
    expect(lines[0]).toMatchObject({
      id: 'process',
      status: 'error',
      found: expect.stringMatching(/tool-server\.js" exited with code 7: "no database"$/),
    });
  });

  it('says so where there is no such program, and names what it skips elsewhere (CLI-20)', async () => {
    const missing = await runCommandLine(['doctor', '--', 'no-such-program']);
    expect([missing.code, missing.stdout]).toEqual([
      2,
      expect.stringContaining('cannot be started (ENOENT)'),
    ]);
    const { stdout } = await runCommandLine(['doctor', '--', process.execPath, OTHERS]);
    expect(stdout).toMatch(/\nSkipped, because a stdio server has no URL: reachable, tls, .*ai-catalog\n$/);
  });

  it.each([
    ['--production', '"--production" applies only to a server at a URL'],
    ['--token=x', '"--token" applies only to a server at a URL'],
    ['http://127.0.0.1/mcp', 'Expected one server'],
  ])('ends with 2 for %s (CLI-20)', async (given, message) => {
    const { code, stderr } = await runCommandLine(['doctor', given, '--', 'node']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('nestjs-mcp-cli doctor at a server that speaks only HTTP+SSE', () => {
  it('says so, and examines what goes over it (CLI-20, SSE-01)', async () => {
    const program = new NodeProgram(OTHERS, { TRANSPORT: 'sse' });
    await program.prints('/sse');
    const [url = ''] = /http\S+/.exec(program.stdout) ?? [];
    const { code, stdout } = await runCommandLine(['doctor', '--json', url]);
    await program.stop();
    const lines = JSON.parse(stdout) as readonly Line[];
    expect(code).toBe(0);
    expect(lines).toContainEqual(
      expect.objectContaining({
        id: 'path',
        status: 'warning',
        found: expect.stringContaining('only HTTP+SSE'),
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        id: 'lists',
        found: 'The server lists everything that it declares: 5 tools, 1 resource, 1 prompt',
      }),
    );
    expect(lines.map(({ id }) => id)).not.toContain('json-rpc');
  });
});
