/** What a text became, or what was expected of it. */
export type Reading<Value = unknown> = { readonly value: Value } | { readonly expected: string };
