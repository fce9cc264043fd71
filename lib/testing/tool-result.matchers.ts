import { buildOutcome, quote, type MatcherOutcome, type MatcherState } from './matcher.interface.js';

interface ToolResult {
  readonly content: readonly unknown[];
  readonly isError?: unknown;
  readonly structuredContent?: unknown;
}

/** Matches the text of a tool's result, either by the whole text, with one line for each block, or by a pattern. */
export function toHaveText(received: unknown, expected: string | RegExp): MatcherOutcome {
  const result = findResult(received);
  if (result === undefined) return refuse(received);
  const text = readText(result);
  return buildOutcome(matches(text, expected), `result with the text ${quote(expected)}`, quote(text));
}

/** Matches the result of a failed tool call, with this text if you give one. */
export function toBeToolError(received: unknown, expected?: string | RegExp): MatcherOutcome {
  const result = findResult(received);
  if (result === undefined) return refuse(received);
  const text = readText(result);
  const isError = result.isError === true;
  const pass = isError && (expected === undefined || matches(text, expected));
  const expectation = `error of a tool${expected === undefined ? '' : ` with the text ${quote(expected)}`}`;
  return buildOutcome(pass, expectation, `${isError ? 'an error' : 'a success'} with ${quote(text)}`);
}

/** Matches a tool's result by its structured content. */
export function matchStructuredContent(
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

/** What is no result matches nothing: with `.not` neither, so it throws. */
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
