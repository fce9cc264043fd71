/** The properties of `this` in a matcher that Jest and Vitest have in common. */
export interface MatcherState {
  /** Compares deeply; knows `expect.anything()` and the like. */
  readonly equals: (actual: unknown, expected: unknown) => boolean;
}

/** The result of a matcher. */
export interface MatcherOutcome {
  readonly pass: boolean;
  /** Explains why the value does not match or, with `.not`, why it must not match. */
  readonly message: () => string;
}

/** Builds the result of a matcher from the expected thing, without an article, and the actual one. */
export function buildOutcome(pass: boolean, expectation: string, found: string): MatcherOutcome {
  const article = /^[aeiou]/.test(expectation) ? 'an' : 'a';
  return { pass, message: () => `Expected ${pass ? 'no' : article} ${expectation}, but found ${found}` };
}

/** Formats a value for a message. */
export function quote(value: unknown): string {
  return value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? String(value));
}
