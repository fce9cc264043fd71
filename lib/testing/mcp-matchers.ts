import { toChallenge, type ExpectedChallenge } from './challenge.matcher.js';
import { toHaveNoLintFindings, type LintExpectation } from './lint.matcher.js';
import type { MatcherOutcome, MatcherState } from './matcher.interface.js';
import { matchStructuredContent, toBeToolError, toHaveText } from './tool-result.matchers.js';

/**
 * Matchers for lists, results of tools and refusals, for Jest and Vitest.
 *
 * @example
 * expect.extend(mcpMatchers);
 * expect(await client.callTool({ name: 'greet' })).toHaveText('hello');
 */
export const mcpMatchers = {
  toHaveText,
  toBeToolError,
  toChallenge,
  toHaveNoLintFindings,
  /** Both put what compares into `this`. */
  toHaveStructuredContent(this: MatcherState, received: unknown, expected: unknown): MatcherOutcome {
    return matchStructuredContent(received, expected, this);
  },
};

/** The matchers, as `expect(…)` has them once they are added; `R` is what a matcher gives. */
export interface McpMatchers<R = void> {
  /** Matches a tool's result by its text: all of it, blocks on lines of their own, or a pattern. */
  toHaveText(expected: string | RegExp): R;
  /** Matches a tool's result that says that the tool failed, with a text if one is given. */
  toBeToolError(expected?: string | RegExp): R;
  /** Matches a tool's result by its structured content; `expect.objectContaining()` and the like may stand in it. */
  toHaveStructuredContent(expected: unknown): R;
  /** Matches a response with a `Bearer` challenge. */
  toChallenge(expected?: ExpectedChallenge): R;
  /** Matches what a server lists, by the rules of `nestjs-mcp lint`; with no error and no warning unless other settings are given. */
  toHaveNoLintFindings(expected?: LintExpectation): R;
}

declare global {
  // Jest's own types are here, and Vitest takes up what is here too.
  // oxlint-disable-next-line typescript/no-namespace
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type, no-unused-vars
    interface Matchers<R, T = {}> extends McpMatchers<R> {}
  }
}
