import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { collectMessages, collectOfSource, type Message } from './collect-messages.js';
import { SELF_EXPLAINING } from './self-explaining.js';

/** The messages of the page, in the first column of its tables, with `…` for what differs. */
const [, section = ''] = readFileSync('docs/troubleshooting.md', 'utf8').split('## Messages');
const listed = [...section.matchAll(/^\| `([^`\n]+)`/gm)].map(([, text = '']) => text);
const patterns = listed.map((text) => new RegExp(`^${text.split('…').map(escape).join('.*')}$`, 's'));

function escape(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

const messages = collectMessages('lib');
const isExplained = (message: Message) => SELF_EXPLAINING.some(({ isOf }) => isOf(message));
const isListed = ({ text }: Message) => patterns.some((pattern) => pattern.test(text));

describe('docs/troubleshooting.md', () => {
  it('has every message of the package that does not explain itself', () => {
    const missing = messages.filter((message) => !isExplained(message) && !isListed(message));
    expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it('has no message that the package does not print', () => {
    const unknown = listed.filter((_, index) => !messages.some(({ text }) => patterns[index]?.test(text)));
    expect(listed.length).toBeGreaterThan(0);
    expect(unknown).toEqual([]);
  });

  it.each(SELF_EXPLAINING.map((kind) => [kind.why, kind] as const))(
    'leaves out what is there: %s',
    (_, { isOf }) => {
      expect(messages.some(isOf)).toBe(true);
    },
  );
});

describe('collectMessages()', () => {
  it('finds texts in errors, calls and conditions, with their takers', () => {
    const source = [
      'throw new LoginError(`The login of "${name}" has failed`);',
      "logger.warn('A cat is' + ' in the way');",
      "const why = isLate ? 'it was too late' : 'no';",
    ].join('\n');
    expect(collectOfSource(source, 'a.ts')).toEqual([
      { file: 'a.ts', taker: 'LoginError', text: 'The login of "…" has failed' },
      { file: 'a.ts', taker: 'warn', text: 'A cat is in the way' },
      { file: 'a.ts', taker: '', text: 'it was too late' },
    ]);
  });

  it('finds no names of modules and types', () => {
    expect(collectOfSource("import './a b c.js'; type A = 'a b c';", 'a.ts')).toEqual([]);
  });
});
