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
  /** Both provide the comparison in `this`. */
  toHaveStructuredContent(this: MatcherState, received: unknown, expected: unknown): MatcherOutcome {
    return matchStructuredContent(received, expected, this);
  },
};

/** The matchers, as `expect(…)` has them after they are added. `R` is the result of a matcher. */
export interface McpMatchers<R = void> {
  /** Matches the text of a tool's result, either by the whole text, with one line for each block, or by a pattern. */
  toHaveText(expected: string | RegExp): R;
  /** Matches the result of a failed tool call, with this text if you give one. */
  toBeToolError(expected?: string | RegExp): R;
  /** Matches a tool's result by its structured content. It may contain matchers such as `expect.objectContaining()`. */
  toHaveStructuredContent(expected: unknown): R;
  /** Matches a response with a `Bearer` challenge. */
  toChallenge(expected?: ExpectedChallenge): R;
  /** Checks a server's lists by the rules of `nestjs-mcp-cli lint`. By default, a list matches if it has no errors and no warnings. */
  toHaveNoLintFindings(expected?: LintExpectation): R;
}

declare global {
  // The types of Jest are extended here. Vitest uses them too. oxlint-disable-next-line typescript/no-namespace
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type, no-unused-vars
    interface Matchers<R, T = {}> extends McpMatchers<R> {}
  }
}
