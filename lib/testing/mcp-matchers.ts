import { toChallenge, type ExpectedChallenge } from './challenge.matcher.js';
import { toHaveNoLintFindings, type LintExpectation } from './lint.matcher.js';
import { buildOutcome, quote, type MatcherOutcome, type MatcherState } from './matcher.interface.js';

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
  /** Matches the text content of a tool's result: a string must equal all of it, with one line for each block; a pattern may match anywhere. */
  toHaveText(expected: string | RegExp): R;
  /** Matches the result of a failed tool call, with this text content if you give it. */
  toBeToolError(expected?: string | RegExp): R;
  /** Matches a tool's result with this structured content. It may contain matchers such as `expect.objectContaining()`. */
  toHaveStructuredContent(expected: unknown): R;
  /** Matches a response with a `Bearer` challenge. */
  toChallenge(expected?: ExpectedChallenge): R;
  /** Checks a server's lists with the rules of `nestjs-mcp-cli lint`. By default, a list matches if it has no errors and no warnings. */
  toHaveNoLintFindings(expected?: LintExpectation): R;
}

declare global {
  // The types of Jest are extended here. Vitest uses them too. oxlint-disable-next-line typescript/no-namespace
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type, no-unused-vars
    interface Matchers<R, T = {}> extends McpMatchers<R> {}
  }
}

interface ToolResult {
  readonly content: readonly unknown[];
  readonly isError?: unknown;
  readonly structuredContent?: unknown;
}

/** Matches the text content of a tool's result: a string must equal all of it, with one line for each block; a pattern may match anywhere. */
function toHaveText(received: unknown, expected: string | RegExp): MatcherOutcome {
  const result = findResult(received);
  if (result === undefined) return refuse(received);
  const text = readText(result);
  return buildOutcome(matches(text, expected), `result with the text ${quote(expected)}`, quote(text));
}

/** Matches the result of a failed tool call, with this text content if given. */
function toBeToolError(received: unknown, expected?: string | RegExp): MatcherOutcome {
  const result = findResult(received);
  if (result === undefined) return refuse(received);
  const text = readText(result);
  const isError = result.isError === true;
  const pass = isError && (expected === undefined || matches(text, expected));
  const expectation = `error of a tool${expected === undefined ? '' : ` with the text ${quote(expected)}`}`;
  return buildOutcome(pass, expectation, `${isError ? 'an error' : 'a success'} with ${quote(text)}`);
}

/** Matches a tool's result with this structured content. */
function matchStructuredContent(
  received: unknown,
  expected: unknown,
  { equals }: MatcherState,
): MatcherOutcome {
  const result = findResult(received);
  if (result === undefined) return refuse(received);
  const { structuredContent } = result;
  return buildOutcome(
    equals(structuredContent, expected),
    `result with the structured content ${quote(expected)}`,
    quote(structuredContent),
  );
}

function findResult(received: unknown): ToolResult | undefined {
  const isResult = typeof received === 'object' && received !== null && 'content' in received;
  return isResult && Array.isArray(received.content) ? (received as ToolResult) : undefined;
}

/** A value that is not a result matches nothing, not even with `.not`, so it throws. */
function refuse(received: unknown): never {
  throw new TypeError(`A tool's result was expected, as "callTool()" gives it, but found ${quote(received)}`);
}

function readText({ content }: ToolResult): string {
  return content
    .filter(
      (block): block is { readonly text: string } => typeof (block as { text?: unknown })?.text === 'string',
    )
    .map(({ text }) => text)
    .join('\n');
}

function matches(text: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? text === expected : text.search(expected) >= 0;
}
