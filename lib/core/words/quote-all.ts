/**
 * Quotes names for a message, one behind the other.
 *
 * @param between stands between two of them
 */
export function quoteAll(names: Iterable<string>, between: ', ' | ' or ' = ', '): string {
  return [...names].map((name) => `"${name}"`).join(between);
}
