const LONGEST_TEXT = 120;
const LONGEST_ECHO = 40;

/** Cuts a text so that it has no more than the given number of characters. */
export function shorten(text: string, longest = LONGEST_TEXT): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/**
 * Names the type of a value and, if it is a short one, the value itself.
 *
 * @example
 * describeValue('bug'); // string "bug"
 * describeValue([1, 2]); // array of 2 items
 */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of ${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  if (typeof value === 'string') {
    return value.length <= LONGEST_ECHO
      ? `string ${JSON.stringify(value)}`
      : `string of ${value.length} characters`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`;
  return typeof value;
}
