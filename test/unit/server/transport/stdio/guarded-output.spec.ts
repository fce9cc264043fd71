import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConsoleLogger } from '@nestjs/common';
import {
  guardStandardOutput,
  type GuardedOutput,
} from '../../../../../lib/server/transport/stdio/mcp-stdio.js';

describe('guardStandardOutput', () => {
  const { stdout, stderr } = process;
  const writes = { stdout: stdout.write, stderr: stderr.write };
  let toOutput: string[];
  let toError: string[];
  let guard: GuardedOutput;

  beforeEach(() => {
    toOutput = [];
    toError = [];
    stdout.write = record(toOutput);
    stderr.write = record(toError);
    guard = guardStandardOutput();
  });

  afterEach(() => {
    guard.release();
    stdout.write = writes.stdout;
    stderr.write = writes.stderr;
  });

  function record(texts: string[]): typeof stdout.write {
    return (text: string | Uint8Array, ...rest: unknown[]): boolean => {
      texts.push(String(text));
      const done = rest.find((argument) => typeof argument === 'function');
      done?.();
      return true;
    };
  }

  it("sends what the application writes to standard error, by Nest's logger or directly (STDIO-01)", () => {
    new ConsoleLogger('Desk', { colors: false }).log('a line of the log');
    process.stdout.write('a careless line\n');
    expect(toError.join('')).toMatch(/a line of the log[^]*a careless line/);
    expect(toOutput).toEqual([]);
  });

  it('lets the protocol through, and nothing but it (STDIO-01)', async () => {
    await new Promise((resolve) => guard.output.write('{"jsonrpc":"2.0"}\n', resolve));
    expect(toOutput).toEqual(['{"jsonrpc":"2.0"}\n']);
    expect(toError).toEqual([]);
  });

  it('gives standard output back, and leaves nothing behind (STDIO-01)', () => {
    const listeners = stdout.listenerCount('error') + stderr.listenerCount('error');
    guard.release();
    process.stdout.write('a line\n');
    expect(toOutput).toEqual(['a line\n']);
    expect(stdout.listenerCount('error') + stderr.listenerCount('error')).toBe(listeners - 2);
  });

  it('breaks with the pipe, and takes no harm from a log that nobody reads (STDIO-02)', async () => {
    const broken = new Promise((resolve) => guard.output.once('error', resolve));
    stderr.emit('error', new Error('EPIPE'));
    stdout.emit('error', new Error('EPIPE'));
    expect(await broken).toMatchObject({ message: 'EPIPE' });
  });
});
