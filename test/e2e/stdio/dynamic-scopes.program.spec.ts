import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { PROJECT_CALLERS } from '../../support/applications/project-desk.js';
import type { JsonObject } from '../../support/clients/message.js';
import { StdioProgram } from '../../support/programs/stdio-program.js';
import { PER_REQUEST_META } from './programs.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/project-server.js', import.meta.url));

const tool = (name: string, args: JsonObject) => ({
  method: 'tools/call',
  params: { name, arguments: args },
});

/** Each request with what is answered to somebody who has it all for `alpha`, and to somebody without a token. */
const REQUESTS: readonly (readonly [
  request: { method: string; params: JsonObject },
  allowed: string,
  scope: string,
])[] = [
  [tool('open', { project: 'alpha' }), 'alpha', 'project:alpha:read'],
  [tool('annotate', { project: 'alpha' }), 'alpha', 'desk:write project:alpha:write'],
  [tool('move', { from: 'alpha', to: 'alpha' }), 'alpha', 'project:alpha:write'],
  [
    { method: 'resources/read', params: { uri: 'project://alpha/tickets/7' } },
    'alpha 7',
    'project:alpha:read',
  ],
  [
    { method: 'prompts/get', params: { name: 'plan', arguments: { project: 'alpha' } } },
    'Plan alpha',
    'desk:plan project:alpha:read',
  ],
];

/** Gives the first text of a result, or what is wrong. */
function textOf({ result, error }: JsonObject): unknown {
  if (error !== undefined) return (error as JsonObject)['message'];
  const { content, contents, messages } = result as { [name: string]: readonly JsonObject[] | undefined };
  const [first] = content ?? contents ?? messages ?? [];
  return ((first?.['content'] ?? first) as JsonObject)['text'];
}

describe.each([
  { wire: 'in a session', meta: {} },
  { wire: 'on the stateless wire', meta: PER_REQUEST_META },
])('Scopes by arguments over stdio, $wire', ({ meta }) => {
  async function requestAll(
    token: string | undefined,
    requests: readonly { readonly method: string; readonly params: JsonObject }[],
  ): Promise<unknown[]> {
    const program = new StdioProgram(PROGRAM, { TOKEN: token });
    await program.initialize();
    const answers = requests.map(({ method, params }, id) =>
      program.request({ id, method, params: { ...params, _meta: meta } }),
    );
    const texts = (await Promise.all(answers)).map(textOf);
    expect(await program.finish()).toBe(0);
    return texts;
  }

  it('let a token of the environment do what its scopes allow (XTN-04, STDIO-01)', async () => {
    const texts = await requestAll(
      PROJECT_CALLERS.alpha.token,
      REQUESTS.map(([request]) => request),
    );
    expect(texts).toEqual(REQUESTS.map(([, allowed]) => allowed));
  });

  it('refuse what they do not (XTN-04, STDIO-01)', async () => {
    const texts = await requestAll(PROJECT_CALLERS.alpha.token, [
      tool('open', { project: 'beta' }),
      tool('move', { from: 'alpha', to: 'beta' }),
      { method: 'resources/read', params: { uri: 'project://beta/tickets/7' } },
    ]);
    expect(texts).toEqual([
      'insufficient_scope: project:beta:read',
      'insufficient_scope: project:alpha:write project:beta:write',
      'insufficient_scope: project:beta:read',
    ]);
  });

  it('refuse all of it to somebody without a token, except what takes none (XTN-04, STDIO-01)', async () => {
    const texts = await requestAll(undefined, [
      ...REQUESTS.map(([request]) => request),
      tool('look', { project: 'alpha' }),
    ]);
    expect(texts).toEqual([...REQUESTS.map(([, , scope]) => `insufficient_scope: ${scope}`), 'alpha']);
  });

  it('are never made of a value that breaks out of them (XTN-04, STDIO-01)', async () => {
    const [text] = await requestAll(PROJECT_CALLERS.alpha.token, [
      tool('open', { project: 'alpha:read desk:admin' }),
    ]);
    expect(text).toContain('"project" is part of a scope');
  });
});
