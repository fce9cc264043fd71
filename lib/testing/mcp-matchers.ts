import { lintCatalog, type LintFinding, type LintSettings, SEVERITIES } from '../core/lint/lint-catalog.js';
import type { LintSeverity } from '../core/lint/lint-rule.js';
import { LISTED_KINDS, type ListedCatalog } from '../core/lint/read-catalog.js';
import { type Challenge, ChallengeSyntaxError, parseChallenges } from '../core/oauth/read-challenges.js';

/**
 * Matchers for lists, tool results and refusals, for Jest and Vitest.
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
  /** Both frameworks provide the comparison in `this`. */
  toHaveStructuredContent(this: MatcherState, received: unknown, expected: unknown): MatcherOutcome {
    return matchStructuredContent(received, expected, this);
  },
};

/** The matchers as available on `expect(…)` once they are added. `R` is a matcher's result. */
export interface McpMatchers<R = void> {
  /**
   * Matches a tool result's text content. A string must equal all of it, with one line per block; a pattern may match
   * anywhere.
   */
  toHaveText(expected: string | RegExp): R;
  /** Matches the result of a failed tool call, with this text content if you pass it. */
  toBeToolError(expected?: string | RegExp): R;
  /**
   * Matches a tool result with this structured content. It may contain matchers such as `expect.objectContaining()`.
   */
  toHaveStructuredContent(expected: unknown): R;
  /** Matches a response with a `Bearer` challenge. */
  toChallenge(expected?: ExpectedChallenge): R;
  /**
   * Checks a server's lists against the `nestjs-mcp-cli lint` rules. By default, a list matches if it has no errors
   * and no warnings.
   */
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

/**
 * Matches a tool result's text content. A string must equal all of it, with one line per block; a pattern may match
 * anywhere.
 */
function toHaveText(received: unknown, expected: string | RegExp): MatcherOutcome {
  const result = findResult(received);
  if (result === undefined) return refuse(received);
  const text = readText(result);
  return buildOutcome(matches(text, expected), `result with the text ${quote(expected)}`, quote(text));
}

/** Matches the result of a failed tool call, with this text content if passed. */
function toBeToolError(received: unknown, expected?: string | RegExp): MatcherOutcome {
  const result = findResult(received);
  if (result === undefined) return refuse(received);
  const text = readText(result);
  const isError = result.isError === true;
  const pass = isError && (expected === undefined || matches(text, expected));
  const expectation = `tool error${expected === undefined ? '' : ` with the text ${quote(expected)}`}`;
  return buildOutcome(pass, expectation, `${isError ? 'an error' : 'a success'} with ${quote(text)}`);
}

/** Matches a tool result with this structured content. */
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

/** A value that is not a result never matches, not even with `.not`, so the matcher throws. */
function refuse(received: unknown): never {
  throw new TypeError(`Expected a tool result from "callTool()", but found ${quote(received)}`);
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

/** The expected challenge. An omitted parameter may have any value. */
export interface ExpectedChallenge {
  /** The response status. */
  readonly status?: number;
  /** Why the request was refused. */
  readonly error?: string | RegExp;
  /** The challenge's scopes, in any order. */
  readonly scope?: string | RegExp;
  /** Any other parameter, such as `resource_metadata`. */
  readonly [parameter: string]: string | RegExp | number | undefined;
}

/**
 * Matches a response with a `Bearer` challenge.
 *
 * @see RFC 6750 §3, RFC 9728 §5.1
 */
export function toChallenge(received: unknown, expected: ExpectedChallenge = {}): MatcherOutcome {
  if (!isResponse(received)) {
    throw new TypeError(`Expected a "Response" from "fetch()", but found ${quote(received)}`);
  }
  const { status, ...parameters } = expected;
  const header = received.headers.get('www-authenticate');
  const challenges = readBearer(header);
  const pass =
    (status === undefined || received.status === status) &&
    challenges.some((challenge) =>
      Object.entries(parameters).every(([name, value]) => hasParameter(challenge, name, value)),
    );
  const found = header === null ? 'no challenge' : quote(header);
  return buildOutcome(pass, `challenge with ${format(expected)}`, `status ${received.status} and ${found}`);
}

function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null || !('status' in value) || !('headers' in value))
    return false;
  return typeof (value.headers as { get?: unknown } | null)?.get === 'function';
}

function readBearer(header: string | null): readonly Challenge[] {
  try {
    return parseChallenges(header ?? '').filter(({ scheme }) => scheme === 'bearer');
  } catch (error) {
    if (error instanceof ChallengeSyntaxError) return [];
    throw error;
  }
}

function hasParameter(
  { parameters }: Challenge,
  name: string,
  expected: string | RegExp | number | undefined,
): boolean {
  if (expected === undefined) return true;
  const value = parameters.get(name);
  if (value === undefined) return false;
  if (expected instanceof RegExp) return value.search(expected) >= 0;
  return name === 'scope' ? sort(value) === sort(String(expected)) : value === String(expected);
}

function sort(scope: string): string {
  return scope.split(' ').toSorted().join(' ');
}

function format(expected: ExpectedChallenge): string {
  const members = Object.entries(expected).map(([name, value]) => `${name} ${quote(value)}`);
  return members.length === 0 ? 'any parameters' : members.join(', ');
}

/** Options for linting a catalog. */
export interface LintExpectation extends LintSettings {
  /**
   * The lowest severity that fails a test. `advice` is a matter of taste and depends on a tool's purpose.
   * @default 'warning'
   */
  readonly severity?: LintSeverity;
}

/** The maximum number of findings in one message. Fix these, and then rerun the test. */
const MOST_LISTED = 20;

/** Checks a server's lists against the `nestjs-mcp-cli lint` rules. */
export function toHaveNoLintFindings(
  received: unknown,
  { severity = 'warning', ...settings }: LintExpectation = {},
): MatcherOutcome {
  if (!isListed(received)) {
    const lists = 'from "listTools()", "listPrompts()", "listResources()" or "listResourceTemplates()"';
    throw new TypeError(`Expected a list ${lists}, but found ${quote(received)}`);
  }
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(severity) + 1);
  const { findings } = lintCatalog(received, settings);
  const failing = findings.filter((finding) => counted.includes(finding.severity));
  const pass = failing.length === 0;
  return {
    pass,
    message: () => (pass ? 'Expected lint findings, but found none' : formatFindings(failing)),
  };
}

function isListed(received: unknown): received is ListedCatalog {
  if (typeof received !== 'object' || received === null) return false;
  const lists = LISTED_KINDS.map((kind) => (received as ListedCatalog)[kind]).filter(
    (list) => list !== undefined,
  );
  return lists.length > 0 && lists.every(Array.isArray);
}

function formatFindings(findings: readonly LintFinding[]): string {
  const lines = findings.slice(0, MOST_LISTED).map(formatFinding);
  const others = findings.length - lines.length;
  return [
    'Expected no lint findings, but found:',
    ...lines,
    ...(others > 0 ? [`  and ${others} more`] : []),
  ].join('\n');
}

function formatFinding({ rule, severity, subject, path = '', found, fix }: LintFinding): string {
  return `  ${severity} ${rule}: ${subject} ${found}${path === '' ? '' : ` at ${path}`} (${fix})`;
}

/** The properties of `this` in a matcher that Jest and Vitest share. */
export interface MatcherState {
  /** Compares deeply, and supports asymmetric matchers such as `expect.anything()`. */
  readonly equals: (actual: unknown, expected: unknown) => boolean;
}

/** A matcher's result. */
export interface MatcherOutcome {
  readonly pass: boolean;
  /** Explains why the value does not match or, with `.not`, why it must not match. */
  readonly message: () => string;
}

/** Builds a matcher's result from the expected value, described without an article, and the actual one. */
export function buildOutcome(pass: boolean, expectation: string, found: string): MatcherOutcome {
  const article = /^[aeiou]/.test(expectation) ? 'an' : 'a';
  return { pass, message: () => `Expected ${pass ? 'no' : article} ${expectation}, but found ${found}` };
}

/** Formats a value for a message. */
export function quote(value: unknown): string {
  return value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? String(value));
}
