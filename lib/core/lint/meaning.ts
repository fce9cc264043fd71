import { splitWords } from '../words/words.js';

/** Words that carry no meaning in a description. */
const EMPTY_WORDS = new Set(
  [
    'a an and any are as at be by for from given has in into is it',
    'its of on or that the their this to used uses using via which will with',
  ].flatMap((words) => words.split(' ')),
);

/** Words that carry no meaning in the description of the thing they name. */
const KIND_WORDS = new Set(
  'argument endpoint function method parameter prompt resource tool value'.split(' '),
);

/** Placeholders for text to be written later. */
const PLACEHOLDER =
  /^\W*(?:todo|tbd|fixme|xxx|n\/?a|none|null|undefined|lorem ipsum|description(?: here)?)\b/i;

/** The start of a longer description shows what it is about. */
const LONGEST = 2_000;

/** Returns the meaningful words in a description, each once, without endings. */
export function findKeywords(text: string): ReadonlySet<string> {
  const words = splitWords(text.slice(0, LONGEST)).filter((word) => !EMPTY_WORDS.has(word));
  return new Set(words.map(stem));
}

/** Returns whether a description adds nothing to a name. */
export function repeats(description: string, name: string): boolean {
  const named = findKeywords(name);
  const described = findKeywords(description);
  return described.size > 0 && [...described].every((word) => KIND_WORDS.has(word) || named.has(word));
}

/** Returns whether a description is too short to be useful, or a placeholder. */
export function isVague(description: string, fewestWords: number): boolean {
  if (PLACEHOLDER.test(description)) return true;
  return findKeywords(description).size < fewestWords;
}

/** Returns a word without plural or third-person endings, so that all forms of a word are equal. */
export function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const singular = word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  return singular.length > 3 ? singular.replace(/e$/, '') : singular;
}
