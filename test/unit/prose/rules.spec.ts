import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ProseFolder } from './prose-folder.js';

/** What each rule finds, and what is close to it and right. */
const SAMPLES: Readonly<
  Record<string, { readonly wrong: readonly string[]; readonly right: readonly string[] }>
> = {
  amongst: { wrong: ['It is amongst them.'], right: ['It is among them.'] },
  anew: { wrong: ['The handler begins anew.'], right: ['Here is a new window.'] },
  'be-it': { wrong: ['Take a list, be it empty.'], right: ['It may be its own parent.'] },
  'but-for': { wrong: ['All but for the first.'], right: ['It is not for you, but forever.'] },
  heed: { wrong: ['It heeds the signal.', 'Heed it.'], right: ['The header is there.'] },
  'in-order-to': { wrong: ['In order to log in, open a page.'], right: ['The lines are in order.'] },
  'in-place-of': {
    wrong: ['It runs in place of the handler.', 'It stands in the place of a token.'],
    right: ['It is changed in place.', 'There is a place of work.'],
  },
  'in-the-event': { wrong: ['In case of a failure, wait.'], right: ['In case you wonder, it waits.'] },
  'makes-up': {
    wrong: ['Each process makes up its own.', 'The name is made up.'],
    right: ['The client makes upper case letters.'],
  },
  'nor-do': { wrong: ['It has none, nor does it ask.'], right: ['It has neither a name nor a place.'] },
  'own-accord': { wrong: ['It acts of its own accord.'], right: ['It acts in accord with the rules.'] },
  'owing-to': { wrong: ['Due to the fact that it is late, it ends.'], right: ['The answer is due.'] },
  'prior-to': { wrong: ['Prior to the call it waits.'], right: ['A prior version had it.'] },
  'save-for': { wrong: ['It takes all save for one.'], right: ['Save the file.'] },
  'tells-of': { wrong: ['The server tells of changes.'], right: ['The server tells clients of changes.'] },
  'there-words': {
    wrong: ['It waits, lest it fails.', 'The name therein counts.'],
    right: ['There is a rest.'],
  },
  upon: { wrong: ['Upon a failure it ends.'], right: ['Once upstream fails, it ends.'] },
  utilise: { wrong: ['It utilizes a map.', 'It makes use of a map.'], right: ['It uses a map.'] },
  'whatever-it': { wrong: ['It is logged, whatever it says.'], right: ['Do whatever you like.'] },
  'which-is-to-say': { wrong: ['It ends, that is to say it closes.'], right: ['There is nothing to say.'] },
  'if-not-where': {
    wrong: [
      'Where a proxy is trusted, its header counts.',
      'It waits. Where nobody answers, it gives up.',
      'It is asked only where it is late.',
    ],
    right: [
      'Where does it run, and how?',
      'Where the pages are, and who sees them.',
      'The folder where it is.',
      'If a proxy is trusted, its header counts.',
      'Where it is read from: a file, which has to exist.',
    ],
  },
  'repeated-words': {
    wrong: ['It is is there.'],
    right: ['He had had it.', 'Log in in a browser.', 'It takes `a` `a` twice.'],
  },
  'sentence-length': {
    wrong: [`It has ${'one word and '.repeat(12)}an end.`],
    right: [`It has ${'one word and '.repeat(6)}an end. It has ${'one word and '.repeat(6)}an end.`],
  },
  'short-cells': {
    wrong: [
      `| a | b |\n| - | - |\n| c | It has ${'one and two and '.repeat(4)}three. ${'One and two and '.repeat(4)}three. |`,
      '| a |\n| - |\n| It is. It was. It ends. |',
    ],
    right: [
      `| a | b |\n| - | - |\n| c | ${'one and two and '.repeat(5)} |`,
      `It has ${'one and two and '.repeat(5)}three. It has ${'one and two and '.repeat(5)}three. It ends.`,
    ],
  },
};

const pages = Object.entries(SAMPLES).flatMap(([rule, { wrong, right }]) => [
  ...wrong.map((text, index) => ({ rule, text, path: `docs/${rule}-wrong-${index}.md`, isWrong: true })),
  ...right.map((text, index) => ({ rule, text, path: `docs/${rule}-right-${index}.md`, isWrong: false })),
]);

const folder = new ProseFolder(Object.fromEntries(pages.map(({ path, text }) => [path, `${text}\n`])));
const { faults } = folder.check();

afterAll(() => folder.remove());

function listRules(path: string): readonly (string | undefined)[] {
  return faults
    .filter((fault) => fault.startsWith(`${path}:`))
    .map((fault) => /\(([\w-]+)\)$/.exec(fault)?.[1]);
}

const NAMES = `
import { PATTERNS } from './tools/prose/patterns.js';
import { RULES } from './tools/prose/rules/index.js';
const counted = new Set(PATTERNS.map(({ rule }) => rule));
console.log(Object.keys(RULES).filter((rule) => !counted.has(rule)).join(' '));
`;

describe('The rules of prose', () => {
  it('have samples each', () => {
    const names = execFileSync(process.execPath, ['--input-type=module', '-e', NAMES], { encoding: 'utf8' });
    expect(Object.keys(SAMPLES).toSorted()).toEqual(names.trim().split(' ').toSorted());
  });

  it.each(pages.filter(({ isWrong }) => isWrong))('$rule finds what is wrong in $path', ({ rule, path }) => {
    expect(listRules(path)).toEqual([rule]);
  });

  it.each(pages.filter(({ isWrong }) => !isWrong))('$rule finds nothing in $path', ({ path }) => {
    expect(listRules(path)).toEqual([]);
  });
});
