import type { JsonObject } from './message.js';

/**
 * Gives a list within a result.
 *
 * @throws Error where there is none
 * @example
 * const [tool] = entriesOf(answer.result, 'tools');
 */
export function entriesOf(result: JsonObject | undefined, member: string): readonly JsonObject[] {
  const entries = result?.[member];
  if (Array.isArray(entries)) return entries as JsonObject[];
  throw new Error(`Expected the list "${member}" in ${JSON.stringify(result)}`);
}

/** Gives the names of a list within a result. */
export function namesOf(result: JsonObject | undefined, member: string): unknown[] {
  return entriesOf(result, member).map(({ name }) => name);
}
