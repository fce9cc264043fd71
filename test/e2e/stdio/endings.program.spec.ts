import { describe, expect, it } from '@jest/globals';
import { StdioProgram } from '../../support/programs/stdio-program.js';
import { PER_REQUEST_META, PROGRAM } from './programs.js';

/** A trace of an error that nobody caught. */
const CRASH = /^\s+at .+\n|Node\.js v\d/m;

function callOf(id: number, name: string, meta: object = {}): { [name: string]: unknown } {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, _meta: meta } };
}

describe('A server over stdio whose input ends', () => {
  it('ends with code 0 where nobody ever spoke (STDIO-02)', async () => {
    const program = new StdioProgram(PROGRAM);
    expect(await program.finish()).toBe(0);
    expect(program.lines).toEqual([]);
    expect(program.stderr).toContain('shut down without a signal');
    expect(program.stderr).not.toMatch(CRASH);
  });

  it('answers what is in flight first, a last line without its end among it (STDIO-02)', async () => {
    const program = new StdioProgram(PROGRAM);
    await program.initialize();
    program.send(callOf(1, 'slow'), callOf(2, 'slow', PER_REQUEST_META));
    await program.write(Buffer.from('{"jsonrpc":"2.0","id":3,"method":"ping"}'));
    expect(await program.finish()).toBe(0);
    for (const id of [1, 2, 3]) expect(await program.answer(id)).toHaveProperty('result');
  });

  it('ends subscriptions with their result, and gives up what the client was asked (STDIO-02)', async () => {
    const program = new StdioProgram(PROGRAM, { GRACE_MS: '600000' });
    await program.initialize({ elicitation: {} });
    const params = { notifications: { resourceSubscriptions: ['desk://state'] }, _meta: PER_REQUEST_META };
    program.send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }, callOf(2, 'ask'));
    await program.receives(({ method }) => method === 'elicitation/create', 'the question');
    expect(await program.finish()).toBe(0);
    expect(await program.answer(1)).toMatchObject({
      result: { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
    });
    expect(await program.answer(2)).toMatchObject({ result: { isError: true } });
  });

  it('waits for calls that do not end no longer than "graceMs" (STDIO-02)', async () => {
    const program = new StdioProgram(PROGRAM, { GRACE_MS: '50' });
    await program.initialize();
    program.send(callOf(1, 'hang'));
    await program.logs('hanging');
    expect(await program.finish()).toBe(0);
    expect(await program.answer(1)).toHaveProperty('error');
    expect(program.stderr).toContain('let go');
  });

  it('ends though the application leaves something open (STDIO-02)', async () => {
    const program = new StdioProgram(PROGRAM, { LINGER: '1' });
    expect(await program.finish()).toBe(0);
    expect(program.stderr).toContain('shut down');
  });
});

describe('A server over stdio that is asked to end', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    "ends by %s with code 0, and runs Nest's hooks (STDIO-02)",
    async (signal) => {
      const program = new StdioProgram(PROGRAM);
      await program.initialize();
      program.send(callOf(1, 'hang'));
      await program.logs('hanging');
      expect(await program.stop(signal)).toBe(0);
      expect(await program.answer(1)).toHaveProperty('error');
      expect(program.stderr).toContain(`before shutdown ${signal}\nshut down ${signal}`);
      expect(program.stderr).not.toMatch(CRASH);
    },
  );
});

describe('A server over stdio whose client is gone', () => {
  it('ends with code 0 and without a crash when nobody reads its output (STDIO-02)', async () => {
    const program = new StdioProgram(PROGRAM);
    await program.initialize();
    program.send(callOf(1, 'hang'));
    await program.logs('hanging');
    program.output.destroy();
    program.send(callOf(2, 'greet'), callOf(3, 'greet'));
    expect(await program.exitCode()).toBe(0);
    expect(program.stderr).toContain('shut down');
    expect(program.stderr).not.toMatch(CRASH);
  });
});

describe('A server over stdio that cannot start', () => {
  it('says why on standard error alone, and ends with another code than 0 (STDIO-02)', async () => {
    const program = new StdioProgram(PROGRAM, { FAIL: '1' });
    expect(await program.exitCode()).toBe(1);
    expect(program.stderr).toContain('The desk is on fire');
    expect(program.lines).toEqual([]);
  });
});
