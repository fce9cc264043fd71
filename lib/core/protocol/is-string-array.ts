/** Narrows unknown JSON to an array of strings. It may be empty. */
export function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}
