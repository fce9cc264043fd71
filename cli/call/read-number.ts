/** The value of a text, or the expected form. */
export type Reading<Value = unknown> = { readonly value: Value } | { readonly expected: string };

/** Reads a number as people write it. Returns `undefined` if the text is not a number, or is not finite. */
export function readNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
