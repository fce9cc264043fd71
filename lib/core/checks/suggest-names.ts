import { quoteAll } from '../words/words.js';

/** Shorter parts occur in too many names. */
const SHORTEST_PART = 3;

/** How many names to suggest for a misspelled one. */
export const MOST_SUGGESTIONS = 3;

/**
 * Finds the option most likely meant by an unknown name: one with a similar spelling, or the only one that contains
 * it or is contained in it.
 */
export function suggestOption(name: string, known: readonly string[]): string | undefined {
  return findClosestName(name, known) ?? findOnlyRelated(name.toLowerCase(), known);
}

/** Finds up to three options that an unknown name may mean, most likely first. */
export function suggestOptions(name: string, known: readonly string[]): readonly string[] {
  const close = findCloseNames(name, known).slice(0, MOST_SUGGESTIONS);
  const related = close.length === 0 ? findOnlyRelated(name.toLowerCase(), known) : undefined;
  return related === undefined ? close : [related];
}

/** Suggests known names that may have been intended; empty if none is similar. */
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

const MOST_NAMES = 200;

/**
 * Finds the known name that is most similar to a misspelled one.
 *
 * @returns `undefined` if no name is similar enough; up to a third of its characters may differ
 */
export function findClosestName(name: string, known: readonly string[]): string | undefined {
  return findCloseNames(name, known)[0];
}

/**
 * Finds the known names that are similar enough to a misspelled one: the most similar name, and those that are nearly
 * as similar.
 */
export function findCloseNames(name: string, known: readonly string[]): readonly string[] {
  const ranked = rank(name, known, Math.max(1, Math.floor(name.length / 3)));
  const shortest = ranked[0]?.distance ?? 0;
  return ranked.filter(({ distance }) => distance <= shortest + 1).map(({ candidate }) => candidate);
}

/** Sorts known names by similarity to another name, however low. */
export function rankNames(name: string, known: readonly string[]): readonly string[] {
  return rank(name, known, Infinity).map(({ candidate }) => candidate);
}

function rank(name: string, known: readonly string[], longest: number) {
  const lower = name.toLowerCase();
  return known
    .slice(0, MOST_NAMES)
    .filter((candidate) => Math.abs(candidate.length - name.length) <= longest)
    .map((candidate) => ({ candidate, distance: measureDistance(lower, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= longest)
    .toSorted((one, other) => one.distance - other.distance);
}

/**
 * Counts the characters that must be inserted, deleted, replaced or swapped with a neighbor to turn one string into
 * the other.
 */
function measureDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[at - 1] === to[column - 1];
      const isSwapped = from[at - 1] === to[column - 2] && from[at - 2] === to[column - 1];
      next.push(
        Math.min(
          get(row, column - 1) + (isSame ? 0 : 1),
          get(row, column) + 1,
          get(next, column - 1) + 1,
          isSwapped ? get(before, column - 2) + 1 : Infinity,
        ),
      );
    }
    before = row;
    row = next;
  }
  return get(row, to.length);
}

function get(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
