import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';

const TAGS = new Set(['default', 'example', 'param', 'returns', 'see', 'throws']);

const FILES = ['lib', 'cli', 'explorer'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${room}/${file}`),
);

/** Reads the lines of a file's docstrings, without what frames them. */
function readDocstrings(file: string): readonly string[] {
  const source = readFileSync(file, 'utf8');
  const blocks = source.match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  return blocks.flatMap((block) => block.slice(3, -2).split('\n')).map((line) => line.replace(/^[\s*]+/, ''));
}

describe('The docstrings of the sources', () => {
  it('are found', () => {
    expect(
      FILES.flatMap(readDocstrings).filter((line) => line.startsWith('@example')).length,
    ).toBeGreaterThan(10);
  });

  it('begin no line with a decorator, which editors take for a tag that ends an example', () => {
    const unknown = FILES.flatMap((file) =>
      readDocstrings(file)
        .filter((line) => line.startsWith('@') && !TAGS.has(/^@(\w*)/.exec(line)?.[1] ?? ''))
        .map((line) => `${file}: ${line}`),
    );
    expect(unknown).toEqual([]);
  });

  it('have no decorator behind a backslash, which editors show', () => {
    const escaped = FILES.filter((file) => readDocstrings(file).some((line) => line.includes('\\@')));
    expect(escaped).toEqual([]);
  });

  it('say what is thrown in one form, "@throws {Class} when…"', () => {
    const others = FILES.flatMap((file) =>
      readDocstrings(file)
        .filter((line) => line.startsWith('@throws') && !/^@throws \{[A-Z]\w*\} \S/.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(others).toEqual([]);
  });
});
