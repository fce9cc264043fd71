/**
 * Returns an object without its properties that are `null` or an empty string: many JSON serializers write these for
 * absent values. A required property is then missing, which its reader reports.
 *
 * @example
 * omitEmpty({ iss: 'https://login.example.com', cnf: null, scope: '' }); // { iss: 'https://login.example.com' }
 */
export function omitEmpty(object: { readonly [member: string]: unknown }): {
  readonly [member: string]: unknown;
} {
  return hasEmpty(object)
    ? Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)))
    : object;
}

/** Returns whether a value counts as absent: `undefined`, `null` or an empty string. */
export function isEmpty(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function hasEmpty(object: { readonly [member: string]: unknown }): boolean {
  return Object.values(object).some(isEmpty);
}
