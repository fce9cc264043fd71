import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface Entry {
  readonly term: string;
  readonly definition: string;
}

const [, ...sections] = readFileSync('docs/glossary.md', 'utf8').split(/^### /m);
const entries: readonly Entry[] = sections.map((section) => {
  const [term = '', ...lines] = section.split('\n');
  return {
    term,
    definition: lines
      .join(' ')
      .replace(/ ## .*/, '')
      .trim(),
  };
});

/** A sentence that only leads to a page defines nothing. */
function listSentences(definition: string): readonly string[] {
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(definition)];
  return sentences.map(({ segment }) => segment.trim()).filter((text) => !text.startsWith('See ['));
}

describe('The glossary', () => {
  it('has the terms of the README and of the pages', () => {
    expect(entries.map(({ term }) => term)).toEqual(
      expect.arrayContaining([
        'Anonymous caller',
        'Audience',
        'Caller',
        'Catalog',
        'Challenge',
        'Cluster bus',
        'Handler',
        'Input request',
        'Owner',
        'Protocol version',
        'Resource server',
        'Session',
        'Session recovery',
        'Stateless protocol',
        'Step-up',
      ]),
    );
  });

  it('defines each term once', () => {
    expect(new Set(entries.map(({ term }) => term)).size).toBe(entries.length);
  });

  it.each(entries)('defines "$term" in one or two sentences', ({ definition }) => {
    expect([1, 2]).toContain(listSentences(definition).length);
  });
});
