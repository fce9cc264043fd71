import { quoteAll } from '../words/quote-all.js';
import { findCloseNames, findClosestName } from './find-closest-name.js';

/** Two letters are part of too many names. */
const SHORTEST_PART = 3;

/** How many names to suggest for a misspelled one. */
export const MOST_SUGGESTIONS = 3;

/** Finds the option that an unknown name most probably means: one with a similar spelling, or the only one that contains it or is part of it. */
export function suggestOption(name: string, known: readonly string[]): string | undefined {
  return findClosestName(name, known) ?? findOnlyRelated(name.toLowerCase(), known);
}

/** Finds up to three options that an unknown name may mean, the most probable first. */
export function suggestOptions(name: string, known: readonly string[]): readonly string[] {
  const close = findCloseNames(name, known).slice(0, MOST_SUGGESTIONS);
  const related = close.length === 0 ? findOnlyRelated(name.toLowerCase(), known) : undefined;
  return related === undefined ? close : [related];
}

/** Suggests known names that may be meant; empty if none is similar. */
export function formatSuggestion(name: string, known: readonly string[]): string {
  const near = suggestOptions(name, known);
  return near.length === 0 ? '' : `did you mean ${quoteAll(near, ' or ')}? `;
}

function findOnlyRelated(name: string, known: readonly string[]): string | undefined {
  const related = known.filter((candidate) => isPart(name, candidate.toLowerCase()));
  return related.length === 1 ? related[0] : undefined;
}

function isPart(name: string, candidate: string): boolean {
  const [part, whole] = name.length < candidate.length ? [name, candidate] : [candidate, name];
  return part.length >= SHORTEST_PART && whole.includes(part);
}
