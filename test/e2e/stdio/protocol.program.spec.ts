import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StdioProgram } from '../../support/programs/stdio-program.js';
import { PER_REQUEST_META, PROGRAM } from './programs.js';

describe('A server over stdio (MCP basic/transports, "stdio")', () => {
  let program: StdioProgram;

  beforeEach(() => {
    program = new StdioProgram(PROGRAM);
  });

  afterEach(() => program.finish());

  it('writes nothing but messages, whatever the application logs and prints (STDIO-01)', async () => {
    await program.initialize();
    await program.request({ id: 1, method: 'tools/call', params: { name: 'greet' } });
    expect(await program.finish()).toBe(0);
    expect(program.messages.map(({ id }) => id)).toEqual(['initialize', 1]);
    expect(program.messages[1]).toMatchObject({ result: { content: [{ text: 'hello, stranger' }] } });
    for (const text of [
      'a careless line',
      'a line of the log',
      '┌───',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      'shut down',
    ]) {
      expect(program.stderr).toContain(text);
    }
  });

  it('says in the log how much it offers, and where (STDIO-01) (MOD-01)', async () => {
    await program.initialize();
    expect(await program.finish()).toBe(0);
    expect(program.stderr).toMatch(/Server "default": \d+ tools.* on standard input and output/);
  });

  it('serves both wires side by side (STDIO-01)', async () => {
    const params = { name: 'greet', _meta: PER_REQUEST_META };
    expect(await program.request({ id: 1, method: 'server/discover', params })).toMatchObject({
      result: { supportedVersions: ['2026-07-28'] },
    });
    expect(await program.initialize({}, '2024-11-05')).toMatchObject({
      result: { protocolVersion: '2024-11-05' },
    });
    expect(await program.request({ id: 2, method: 'tools/call', params })).toMatchObject({
      result: { resultType: 'complete' },
    });
    expect(await program.request({ id: 3, method: 'ping' })).toMatchObject({ result: {} });
  });

  it.each(['nonsense', '{"jsonrpc":"2.0","id":1,', '\u0000', '{]', '\uFEFFx'])(
    'answers %j with -32700, and goes on (STDIO-02)',
    async (line) => {
      program.send(line);
      const refusal = await program.receives((message) => 'error' in message, 'the refusal');
      expect(refusal).toEqual({ jsonrpc: '2.0', error: { code: -32700, message: expect.any(String) } });
      expect(await program.request({ id: 1, method: 'ping' })).toMatchObject({ result: {} });
    },
  );

  it('answers a line that is too long with -32600, and goes on (STDIO-02)', async () => {
    program.send(
      JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping', params: { x: 'x'.repeat(5_000_000) } }),
    );
    const refusal = await program.receives((message) => 'error' in message, 'the refusal');
    expect(refusal).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: expect.stringContaining('4194304') },
    });
    expect(await program.request({ id: 1, method: 'ping' })).toMatchObject({ result: {} });
  });

  it('takes lines that end as on Windows, and skips blank ones (STDIO-01)', async () => {
    program.send('\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}\r');
    expect(await program.answer(1)).toMatchObject({ result: {} });
    expect(program.lines).toHaveLength(1);
  });

  it('answers every one of many requests that are sent at once (STDIO-01)', async () => {
    const count = 2000;
    await program.initialize();
    program.send(
      ...Array.from({ length: count }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'fill', arguments: { size: 10 } },
      })),
    );
    expect(await program.finish()).toBe(0);
    const answered = program.messages.filter((message) => 'result' in message).map(({ id }) => id);
    expect(new Set(answered).size).toBe(count + 1);
    expect(answered).toHaveLength(count + 1);
  });
});
