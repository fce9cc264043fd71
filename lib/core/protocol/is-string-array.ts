/** Returns whether a JSON value is an array of strings, which may be empty. */
export function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}
