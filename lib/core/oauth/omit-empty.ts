/**
 * Returns an object without the members that are `null` or an empty text: many writers of JSON have a member say so that it
 * is absent. A required member is then missing, and its reader reports this.
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

/** Tells whether a value counts as absent: `undefined`, `null` or an empty text. */
export function isEmpty(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function hasEmpty(object: { readonly [member: string]: unknown }): boolean {
  return Object.values(object).some(isEmpty);
}
