/**
 * Quotes names for a message.
 *
 * @param between the separator
 */
export function quoteAll(names: Iterable<string>, between: ', ' | ' or ' = ', '): string {
  return [...names].map((name) => `"${name}"`).join(between);
}
