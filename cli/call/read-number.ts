/** The value of an input, or what was expected instead. */
export type Reading<Value = unknown> = { readonly value: Value } | { readonly expected: string };

/** Parses a number. Returns `undefined` if the string is not a finite number. */
export function readNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
