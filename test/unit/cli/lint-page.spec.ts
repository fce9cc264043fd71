import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LINT_RULES, lintCatalog } from '../../../lib/core/lint/lint-catalog.js';
import type { ListedCatalog } from '../../../lib/core/lint/read-catalog.js';

const page = readFileSync('docs/lint.md', 'utf8');

/** The sections of the rules, by their names. */
const sections = new Map(
  [...page.matchAll(/^### `([a-z-]+)`\n([^#]*)/gm)].map(([, id = '', text = '']) => [id, text] as const),
);

/** What these find takes a page, or a hundred tools. */
const IN_WORDS = new Set([
  'long-description',
  'too-many-parameters',
  'deep-nesting',
  'tool-tokens',
  'list-tokens',
  'too-many-tools',
]);

const hasRule = (catalog: ListedCatalog, id: string) =>
  lintCatalog(catalog).findings.some(({ rule }) => rule === id);

describe('docs/lint.md', () => {
  it('lists every rule with its severity, in the order in which findings are told (KIT-04)', () => {
    const listed = [...page.matchAll(/^\| \[`([a-z-]+)`\]\(#\1\) +\| ([a-z]+)/gm)].map(([, ...row]) => row);
    expect(listed).toEqual(LINT_RULES.map(({ id, severity }) => [id, severity]));
  });

  it('has a section for every rule (KIT-04)', () => {
    expect([...sections.keys()]).toEqual(LINT_RULES.map(({ id }) => id));
  });

  it.each(LINT_RULES.map(({ id }) => id).filter((id) => !IN_WORDS.has(id)))(
    'shows what "%s" finds, and what it does not (KIT-04)',
    (id) => {
      const [, json = ''] = /```json\n([^`]*)```/.exec(sections.get(id) ?? '') ?? [];
      const { before, after } = JSON.parse(json) as Record<string, ListedCatalog>;
      expect([before, after].map((catalog) => catalog && hasRule(catalog, id))).toEqual([true, false]);
    },
  );

  it.each([...IN_WORDS])('says what "%s" finds, and what to do (KIT-04)', (id) => {
    expect(sections.get(id)).toMatch(/^Before: .* After: /m);
  });
});
