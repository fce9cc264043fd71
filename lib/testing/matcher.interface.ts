/** What `this` of a matcher has, in Jest and in Vitest alike. */
export interface MatcherState {
  /** Compares deeply; knows `expect.anything()` and the like. */
  readonly equals: (actual: unknown, expected: unknown) => boolean;
}

/** What a matcher gives. */
export interface MatcherOutcome {
  readonly pass: boolean;
  /** Says what is wrong; with `.not`, what is wrong with a match. */
  readonly message: () => string;
}

/** Builds the outcome of a matcher: what is expected, without its article, and what is there instead. */
export function buildOutcome(pass: boolean, expectation: string, found: string): MatcherOutcome {
  const article = /^[aeiou]/.test(expectation) ? 'an' : 'a';
  return { pass, message: () => `Expected ${pass ? 'no' : article} ${expectation}, but found ${found}` };
}

/** Writes a value as a message shows it. */
export function quote(value: unknown): string {
  return value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? String(value));
}
