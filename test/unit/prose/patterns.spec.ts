import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ProseFolder } from './prose-folder.js';

/** What each pattern counts, and what is close to it and right. */
const SAMPLES: Readonly<Record<string, { readonly counted: string; readonly right: string }>> = {
  'answer-for-response': { counted: 'The server answers with 200.', right: 'The response has status 200.' },
  'as-has-it': {
    counted: 'The name as the token has it.',
    right: 'The name in the token, as a client sees it.',
  },
  'at-once': { counted: 'It ends at once.', right: 'It ends immediately.' },
  'british-spelling': {
    counted: 'Initialise the catalog.',
    right: 'He promised to initialize the catalog.',
  },
  come: { counted: 'The event comes late.', right: 'The event arrives late.' },
  genitive: { counted: 'The name of the tool is long.', right: 'The tool name is one of the shortest.' },
  'hyphenated-noun': { counted: 'A time-out ends it.', right: 'A timeout ends it.' },
  'instrumental-by': { counted: 'Ask the user by a form.', right: 'It is called by the client, by default.' },
  'is-no': { counted: 'The key is no secret.', right: 'There is no secret, and it is no longer needed.' },
  'is-over': { counted: 'The call is over.', right: 'The value is over 20.' },
  keep: { counted: 'It keeps the token.', right: 'It stores the token.' },
  'leave-out': { counted: 'Leave it out.', right: 'Omit it.' },
  'machine-says': { counted: 'The log says why.', right: 'The log shows why.' },
  nobody: { counted: 'Nobody reads it.', right: 'No client reads it.' },
  'none-but': { counted: 'It accepts nothing but JSON.', right: 'It accepts only JSON, but not XML.' },
  own: { counted: 'A file of its own.', right: 'Its own file.' },
  'question-heading': { counted: '# What it does', right: '# Limits for the whole server' },
  take: { counted: 'It takes a string.', right: 'It accepts a string.' },
  'text-for-string': { counted: 'A text of ten characters.', right: 'A string of ten characters.' },
  'that-of': { counted: 'The name is that of the tool.', right: 'The name is the tool’s name.' },
  'the-same-cell': { counted: '| a |\n| - |\n| the same |', right: '| a |\n| - |\n| at the same time |' },
};

const rules = Object.keys(SAMPLES);
const folder = new ProseFolder(
  Object.fromEntries(
    Object.entries(SAMPLES).flatMap(([rule, { counted, right }]) => [
      [`docs/${rule}-counted.md`, `${counted}\n`],
      [`docs/${rule}-right.md`, `${right}\n`],
    ]),
  ),
);
const { printed } = folder.check(rules);

afterAll(() => folder.remove());

const find = (path: string, rule: string) =>
  printed.filter((line) => line.startsWith(`${path}:`) && line.endsWith(`(${rule})`));

describe('The patterns of prose', () => {
  it('have samples each', () => {
    const names =
      "import { PATTERNS } from './tools/prose/patterns.js'; console.log(PATTERNS.map(({ rule }) => rule).join(' '))";
    const listed = execFileSync(process.execPath, ['--input-type=module', '-e', names], { encoding: 'utf8' });
    expect(rules).toEqual(listed.trim().split(' ').toSorted());
  });

  it.each(rules)('count %s where it stands, and not beside it', (rule) => {
    expect(find(`docs/${rule}-counted.md`, rule)).not.toEqual([]);
    expect(find(`docs/${rule}-right.md`, rule)).toEqual([]);
  });

  it('refuse nothing within their limits', () => {
    const few = new ProseFolder({ 'docs/few.md': 'The server keeps it.\n' });
    const { status: ended } = few.check();
    few.remove();
    expect(ended).toBe(0);
  });

  it('are refused above their limits', () => {
    const many = new ProseFolder({ 'docs/many.md': `${'The server keeps it. '.repeat(1000)}\n` });
    const { status: ended, faults } = many.check();
    many.remove();
    expect(ended).toBe(1);
    expect(faults).toContainEqual(expect.stringContaining('keep stands 1000 times in pages'));
  });
});
