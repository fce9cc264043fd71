import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { StdioProgram } from '../../support/programs/stdio-program.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/conformance/server.js', import.meta.url));

describe('The conformance fixture with TRANSPORT=stdio', () => {
  it('serves its standard input and output, and prints nothing else there (STDIO-01)', async () => {
    const program = new StdioProgram(PROGRAM, { TRANSPORT: 'stdio' });
    expect(await program.initialize()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    const params = { name: 'test_simple_text', arguments: {} };
    expect(await program.request({ id: 1, method: 'tools/call', params })).toHaveProperty('result.content');
    expect(await program.finish()).toBe(0);
    expect(program.messages.map(({ id }) => id)).toEqual(['initialize', 1]);
  });

  it.each([
    ['without a token', { TOKEN: undefined }],
    ['with its token', { TOKEN: 'a-fixed-token-of-the-fixture' }],
  ])('is open behind AUTH=bearer too, but for what needs a scope, %s (AUTH-01)', async (_, environment) => {
    const program = new StdioProgram(PROGRAM, { TRANSPORT: 'stdio', AUTH: 'bearer', ...environment });
    await program.initialize();
    const call = (name: string) => program.request({ id: name, method: 'tools/call', params: { name } });
    expect(await call('test_simple_text')).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(await call('test_scoped')).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringMatching(/^insufficient_scope: /) }] },
    });
    expect(await program.finish()).toBe(0);
  });
});
