/** The value of a text, or the expected form. */
export type Reading<Value = unknown> = { readonly value: Value } | { readonly expected: string };
