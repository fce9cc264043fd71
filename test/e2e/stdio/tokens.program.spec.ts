import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../support/clients/message.js';
import { StdioProgram } from '../../support/programs/stdio-program.js';
import { PER_REQUEST_META, PROGRAM, TOKEN } from './programs.js';

const WIRES = [
  { wire: 'in a session', meta: {} },
  { wire: 'on the stateless wire', meta: PER_REQUEST_META },
];

describe.each(WIRES)('A protected server over stdio, $wire', ({ meta }) => {
  async function callAll(
    environment: NodeJS.ProcessEnv,
    names: readonly string[],
  ): Promise<(string | JsonObject)[]> {
    const program = new StdioProgram(PROGRAM, environment);
    await program.initialize();
    const texts = names.map(async (name) => {
      const { result } = await program.request({
        id: name,
        method: 'tools/call',
        params: { name, _meta: meta },
      });
      const { content, isError } = result as { content: [{ text: string }]; isError?: true };
      return isError === true ? `refused: ${content[0].text}` : content[0].text;
    });
    const all = await Promise.all(texts);
    expect(await program.finish()).toBe(0);
    return all;
  }

  it('is open without a token, but for what needs a scope (AUTH-01, STEP-03)', async () => {
    expect(await callAll({ TOKEN: undefined }, ['greet', 'close', 'needs', 'whoami'])).toEqual([
      'hello, stranger',
      'refused: insufficient_scope: desk:write',
      'refused: insufficient_scope: desk:admin',
      JSON.stringify({ read: false }),
    ]);
  });

  it('lets a token from the environment do what its scopes allow (AUTH-10, STEP-03)', async () => {
    expect(await callAll({ TOKEN }, ['greet', 'close', 'needs', 'whoami'])).toEqual([
      'hello, stranger',
      'closed',
      'refused: insufficient_scope: desk:admin',
      JSON.stringify({ sub: 'ada', scopes: ['desk:read', 'desk:write'], read: true }),
    ]);
  });
});

describe('A protected server over stdio', () => {
  it.each([
    ['one that nobody gave', { TOKEN: 'a-token-that-nobody-gave' }, 'is not a token that the server accepts'],
    ['an empty one', { TOKEN: '' }, 'is not a token that the server accepts'],
    [
      'one with too few scopes',
      { TOKEN, REQUIRED: 'desk:read desk:admin' },
      'lacks a scope that the server requires: "desk:admin"',
    ],
  ])('does not start with %s, and says so without showing it (AUTH-08)', async (_, environment, problem) => {
    const program = new StdioProgram(PROGRAM, environment);
    expect(await program.exitCode()).toBe(1);
    expect(program.lines).toEqual([]);
    expect(program.stderr).toContain(`The option "token" of "McpStdio.run" ${problem}`);
    expect(program.stderr).not.toContain('that-nobody-gave');
    expect(program.stderr).not.toContain(TOKEN);
    expect(program.stderr).toContain('shut down');
  });

  it('takes a token that has every scope that the server requires (AUTH-08)', async () => {
    const program = new StdioProgram(PROGRAM, { TOKEN, REQUIRED: 'desk:read' });
    await program.initialize();
    expect(await program.finish()).toBe(0);
  });
});
