import { splitWords } from '../../words/words.js';
import type { LintProblem, LintRule } from '../lint-rule.js';
import { findKeywords, stem } from '../meaning.js';
import type { ReadCatalog, ReadItem, ReadTool } from '../read-catalog.js';
import { hasHidden } from '../show.js';

/** The share of common words above which two descriptions are considered the same. */
const SAME_SHARE = 0.85;
const FEWEST_WORDS = 4;
const MOST_WORDS = 48;

/** The maximum number of descriptions, because each is compared with every other. */
const MOST_COMPARED = 1_000;

/** Synonymous verbs, each row represented by its first verb. */
const VERBS = new Map(
  [
    ['get', 'fetch', 'read', 'retrieve', 'load'],
    ['create', 'add', 'insert', 'make'],
    ['update', 'edit', 'modify', 'change', 'patch'],
    ['delete', 'remove', 'erase', 'destroy'],
    ['search', 'find', 'query', 'lookup'],
  ].flatMap((row) => row.map((verb) => [stem(verb), row[0]] as const)),
);

/** Names and descriptions that must be distinguishable. */
export const NAME_RULES: readonly LintRule[] = [
  { id: 'duplicate-name', severity: 'error', find: findDuplicates },
  { id: 'hidden-characters', severity: 'error', find: findHidden },
  { id: 'similar-names', severity: 'warning', find: ({ tools }) => findSimilarNames(tools) },
  { id: 'similar-descriptions', severity: 'warning', find: ({ tools }) => findSimilarDescriptions(tools) },
  { id: 'mixed-naming', severity: 'advice', find: ({ tools }) => findMixedNaming(tools) },
];

function* findDuplicates({
  tools,
  prompts,
  resources,
  resourceTemplates,
}: ReadCatalog): Generator<LintProblem> {
  for (const items of [tools, prompts, resources, resourceTemplates]) {
    const seen = new Set<unknown>();
    for (const { key, subject } of items) {
      if (typeof key === 'string' && seen.has(key)) {
        yield {
          subject,
          found: 'is listed twice',
          fix: 'List it once: hosts use one of the two, or refuse both',
        };
      }
      seen.add(key);
    }
  }
}

function* findHidden({ items, tools, instructions = '' }: ReadCatalog): Generator<LintProblem> {
  const fix = 'Remove them: a model reads them, but people reviewing the list do not see them';
  for (const { subject, key, name, description } of items) {
    if (![typeof key === 'string' ? key : '', name, description].some(hasHidden)) continue;
    yield { subject, found: 'has invisible characters in its name or description', fix };
  }
  for (const { subject, parameters } of tools) {
    for (const { name, description, path } of parameters) {
      if (![name, description].some(hasHidden)) continue;
      yield { subject, path, found: 'has a parameter with invisible characters', fix };
    }
  }
  if (hasHidden(instructions))
    yield { subject: 'server', found: 'has instructions with invisible characters', fix };
}

function* findSimilarNames(tools: readonly ReadTool[]): Generator<LintProblem> {
  const first = new Map<string, ReadItem>();
  for (const tool of tools) {
    const folded = foldName(tool.name);
    const other = first.get(folded);
    if (folded === '') continue;
    if (other === undefined) first.set(folded, tool);
    else if (other.name !== tool.name) {
      yield {
        subject: tool.subject,
        found: `has a name that means the same as the name of ${other.subject}`,
        fix: 'Choose names that show how they differ, or merge the tools',
      };
    }
  }
}

/** The same words in the same order, with synonymous verbs unified, and without plurals and separators. */
function foldName(name: string): string {
  return splitWords(name)
    .map((word) => VERBS.get(stem(word)) ?? stem(word))
    .join(' ');
}

function* findSimilarDescriptions(tools: readonly ReadTool[]): Generator<LintProblem> {
  const compared = tools
    .slice(0, MOST_COMPARED)
    .map(({ subject, description }) => ({
      subject,
      words: new Set([...findKeywords(description)].slice(0, MOST_WORDS)),
    }))
    .filter(({ words }) => words.size >= FEWEST_WORDS);
  for (const [index, one] of compared.entries()) {
    const other = compared.slice(0, index).find(({ words }) => isSame(words, one.words));
    if (other === undefined) continue;
    yield {
      subject: one.subject,
      found: `has nearly the same description as ${other.subject}`,
      fix: 'Explain in each when to use it rather than the other',
    };
  }
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  if (smaller.size < larger.size * SAME_SHARE) return false;
  let common = 0;
  for (const word of smaller) if (larger.has(word)) common += 1;
  return common / (one.size + other.size - common) >= SAME_SHARE;
}

const STYLES: readonly (readonly [style: string, pattern: RegExp])[] = [
  ['snake_case', /^[a-z\d]+(?:_[a-z\d]+)+$/],
  ['kebab-case', /^[a-z\d]+(?:-[a-z\d]+)+$/],
  ['camelCase', /^[a-z\d]+(?:[A-Z][a-z\d]*)+$/],
  ['PascalCase', /^(?:[A-Z][a-z\d]+){2,}$/],
];

function* findMixedNaming(tools: readonly ReadTool[]): Generator<LintProblem> {
  const styles = new Map<string, string>();
  for (const { name, subject } of tools) {
    const style = STYLES.find(([, pattern]) => pattern.test(name))?.[0];
    if (style !== undefined && !styles.has(style)) styles.set(style, subject);
  }
  const [first, second] = [...styles];
  if (first === undefined || second === undefined) return;
  yield {
    subject: second[1],
    found: `is written in ${second[0]}, but ${first[1]} in ${first[0]}`,
    fix: 'Use one style for all names: models infer names from the ones they have seen',
  };
}
