import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LINT_RULES, lintCatalog } from '../../../lib/core/lint/lint-catalog.js';
import type { ListedCatalog } from '../../../lib/core/lint/read-catalog.js';

const page = readFileSync('docs/lint.md', 'utf8');

/** The sections of the rules, by their names. */
const sections = new Map(
  [...page.matchAll(/^### `([a-z-]+)`\n([^#]*)/gm)].map(([, id = '', text = '']) => [id, text] as const),
);

/** These find whole pages of text, or a hundred tools: the page describes them. */
const IN_WORDS = new Set([
  'long-description',
  'too-many-parameters',
  'deep-nesting',
  'tool-tokens',
  'list-tokens',
  'too-many-tools',
]);

/** The examples of these are properties of an input schema. */
const ABOUT_PROPERTIES = new Set([
  'host-property',
  'host-items',
  'host-keyword',
  'parameter-description',
  'parameter-repeats-name',
  'parameter-type',
  'parameter-name',
  'enum-meaning',
]);

/** Builds the catalog that an example stands for: properties of an entry, or a list of tools. */
function buildCatalog(id: string, example: string): ListedCatalog {
  const json: unknown = JSON.parse(example.startsWith('[') ? example : `{${example}}`);
  if (Array.isArray(json)) return { tools: json };
  const properties = json as Record<string, unknown>;
  if (id === 'instructions') return { tools: [{ name: 'find' }, { name: 'close' }], ...properties };
  if (id.startsWith('prompt-')) return { prompts: [{ name: 'triage', ...properties }] };
  if (id.startsWith('resource-')) return { resources: [{ name: 'rules', ...properties }] };
  const tool = ABOUT_PROPERTIES.has(id) ? { inputSchema: { type: 'object', properties } } : properties;
  return { tools: [{ name: 'find_tickets', ...tool }] };
}

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
      const [, before = '', after = ''] = /^-(.+)\n\+(.+)$/m.exec(sections.get(id) ?? '') ?? [];
      expect([before, after].map((example) => hasRule(buildCatalog(id, example), id))).toEqual([true, false]);
    },
  );

  it.each([...IN_WORDS])('says what "%s" finds, and what to do (KIT-04)', (id) => {
    expect(sections.get(id)).toMatch(/^- Before: .+\n- After: ./m);
  });
});
