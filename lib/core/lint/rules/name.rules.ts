import { splitWords } from '../../words/split-words.js';
import type { LintFault, LintRule } from '../lint-rule.interface.js';
import { readMeaning, stem } from '../meaning.js';
import type { ReadCatalog, ReadItem, ReadTool } from '../read-catalog.js';
import { hasHidden } from '../show.js';

/** How much of the words of two descriptions is the same if they say the same. */
const SAME_SHARE = 0.85;
const FEWEST_WORDS = 4;
const MOST_WORDS = 48;

/** Each is compared with each other. */
const MOST_COMPARED = 1_000;

/** Verbs that do the same, each by the first of its row. */
const VERBS = new Map(
  [
    ['get', 'fetch', 'read', 'retrieve', 'load'],
    ['create', 'add', 'insert', 'make'],
    ['update', 'edit', 'modify', 'change', 'patch'],
    ['delete', 'remove', 'erase', 'destroy'],
    ['search', 'find', 'query', 'lookup'],
  ].flatMap((row) => row.map((verb) => [stem(verb), row[0]] as const)),
);

/** What tells one thing from another. */
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
}: ReadCatalog): Generator<LintFault> {
  for (const items of [tools, prompts, resources, resourceTemplates]) {
    const seen = new Set<unknown>();
    for (const { key, subject } of items) {
      if (typeof key === 'string' && seen.has(key)) {
        yield {
          subject,
          found: 'is listed twice',
          fix: 'List each once: hosts take one of them, or refuse both',
        };
      }
      seen.add(key);
    }
  }
}

function* findHidden({ items, tools, instructions = '' }: ReadCatalog): Generator<LintFault> {
  const fix = 'Remove them: a model reads them, and people who look at the list do not see them';
  for (const { subject, key, name, description } of items) {
    if (![typeof key === 'string' ? key : '', name, description].some(hasHidden)) continue;
    yield { subject, found: 'has characters in its name or description that nobody sees', fix };
  }
  for (const { subject, parameters } of tools) {
    for (const { name, description, place } of parameters) {
      if (![name, description].some(hasHidden)) continue;
      yield { subject, place, found: 'has a parameter with characters that nobody sees', fix };
    }
  }
  if (hasHidden(instructions))
    yield { subject: 'server', found: 'has instructions with characters that nobody sees', fix };
}

function* findSimilarNames(tools: readonly ReadTool[]): Generator<LintFault> {
  const first = new Map<string, ReadItem>();
  for (const tool of tools) {
    const folded = foldName(tool.name);
    const other = first.get(folded);
    if (folded === '') continue;
    if (other === undefined) first.set(folded, tool);
    else if (other.name !== tool.name) {
      yield {
        subject: tool.subject,
        found: `has a name that means the same as that of ${other.subject}`,
        fix: 'Say by their names how they differ, or make them one tool',
      };
    }
  }
}

/** The same words in the same order, with verbs that mean the same, without plurals and whatever separates them. */
function foldName(name: string): string {
  return splitWords(name)
    .map((word) => VERBS.get(stem(word)) ?? stem(word))
    .join(' ');
}

function* findSimilarDescriptions(tools: readonly ReadTool[]): Generator<LintFault> {
  const compared = tools
    .slice(0, MOST_COMPARED)
    .map(({ subject, description }) => ({
      subject,
      words: new Set([...readMeaning(description)].slice(0, MOST_WORDS)),
    }))
    .filter(({ words }) => words.size >= FEWEST_WORDS);
  for (const [index, one] of compared.entries()) {
    const other = compared.slice(0, index).find(({ words }) => isSame(words, one.words));
    if (other === undefined) continue;
    yield {
      subject: one.subject,
      found: `has nearly the same description as ${other.subject}`,
      fix: 'Say in both when to use this one rather than the other',
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

function* findMixedNaming(tools: readonly ReadTool[]): Generator<LintFault> {
  const styles = new Map<string, string>();
  for (const { name, subject } of tools) {
    const style = STYLES.find(([, pattern]) => pattern.test(name))?.[0];
    if (style !== undefined && !styles.has(style)) styles.set(style, subject);
  }
  const [first, second] = [...styles];
  if (first === undefined || second === undefined) return;
  yield {
    subject: second[1],
    found: `is written in ${second[0]}, and ${first[1]} in ${first[0]}`,
    fix: 'Write all names in one way: models guess names from those that they have seen',
  };
}
