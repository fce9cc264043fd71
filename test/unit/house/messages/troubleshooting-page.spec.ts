import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { collectCodes, collectCodesOfSource } from './collect-codes.js';
import { collectMessages, collectOfSource, type Message } from './collect-messages.js';
import { BEHIND_OTHERS, SELF_EXPLAINING } from './self-explaining.js';

/** A code of JSON-RPC, or one in words. */
const CODE = /^(?:-\d+|[a-z]+(?:_[a-z]+)*)$/;

/** The pages whose headings are messages, with `…` for what differs. */
const PAGES = ['docs/troubleshooting.md', 'docs/messages.md'].map((page) => readFileSync(page, 'utf8'));

/** Messages of Node, npm and Jest that have a heading. */
const FOREIGN = new Set([
  'listen EADDRINUSE: address already in use',
  'connect ECONNREFUSED',
  'npm error code ERESOLVE',
  "SyntaxError: Unexpected token 'export'",
]);

/** Reads the headings of a page that are messages, and those that a paragraph adds to a heading. */
function readMessages(page: string): readonly string[] {
  const blocks = page.match(/^(?:### `.+`|Also `[^]+?`\.)$/gm) ?? [];
  return blocks.flatMap((block) => [...block.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
}

/** Reads the codes in the first columns of the tables of a page. */
function readCodes(page: string): readonly string[] {
  const cells = [...page.matchAll(/^\| (`.*?) +\| /gm)].map(([, cell = '']) => cell);
  const texts = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  return texts.filter((text) => CODE.test(text));
}

const codes = PAGES.flatMap(readCodes);
const headings = PAGES.flatMap(readMessages);
const listed = headings.filter((text) => !FOREIGN.has(text));
const patterns = listed.map((text) => new RegExp(`^${text.split('…').map(escape).join('.*')}$`, 's'));

function escape(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

const ROOMS = ['lib', 'cli', 'explorer'];
const messages = ROOMS.flatMap(collectMessages);
const isExplained = (message: Message) => SELF_EXPLAINING.some(({ isOf }) => isOf(message));
const isListed = ({ text }: Message) => patterns.some((pattern) => pattern.test(text));

/** What writes to the log, whose lines are searched for even if they say what to do. */
const LOGGERS = new Set(['debug', 'error', 'fatal', 'log', 'verbose', 'warn']);

describe('docs/troubleshooting.md and docs/messages.md', () => {
  it('have every message of the package that does not explain itself', () => {
    const missing = messages.filter((message) => !isExplained(message) && !isListed(message));
    expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it('have no message that the package does not print', () => {
    const unknown = listed.filter((_, index) => !messages.some(({ text }) => patterns[index]?.test(text)));
    expect(listed.length).toBeGreaterThan(0);
    expect(unknown).toEqual([]);
  });

  it('have every message that is given to a logger, even if it explains itself', () => {
    const logged = messages.filter(({ taker }) => LOGGERS.has(taker));
    const missing = logged.filter((message) => !BEHIND_OTHERS.isOf(message) && !isListed(message));
    expect(logged.length).toBeGreaterThan(0);
    expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it('have each message once', () => {
    expect(headings.filter((text, index) => headings.indexOf(text) !== index)).toEqual([]);
  });

  it('have a fix for each message', () => {
    const pages = PAGES.flatMap((page) => page.split(/^(?=#)/m)).filter((part) => part.startsWith('### `'));
    const empty = pages.filter((part) => part.replaceAll(/^(?:###|Also) .*$/gm, '').trim() === '');
    expect(empty).toEqual([]);
  });

  it('have every code of an error, and no other', () => {
    expect(new Set(codes)).toEqual(new Set(ROOMS.flatMap(collectCodes)));
  });

  it.each(SELF_EXPLAINING.map((kind) => [kind.why, kind] as const))(
    'leave out what is there: %s',
    (_, { isOf }) => {
      expect(messages.some(isOf)).toBe(true);
    },
  );
});

describe('collectCodes()', () => {
  it('finds codes of JSON-RPC, of error classes, and in types', () => {
    const source = [
      'const LATE = -32099;',
      '  NotFound: -32098,',
      "  readonly code = 'too_late';",
      "export type StoreErrorCode =\n  'store_full' | 'store_gone';",
      '// It answers with -32097.',
    ].join('\n');
    expect(collectCodesOfSource(source)).toEqual([
      '-32099',
      '-32098',
      'too_late',
      'store_full',
      'store_gone',
    ]);
  });
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
