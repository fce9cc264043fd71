import { findClosestName } from '../checks/suggest-names.js';
import { LISTED_KINDS, type ListedCatalog, readCatalog } from './read-catalog.js';
import type { LintProblem, LintRule, LintSeverity } from './lint-rule.js';
import { SIZE_RULES, sumTokens } from './rules/size.rules.js';
import { show } from './show.js';
import { DESCRIPTION_RULES } from './rules/description.rules.js';
import { HOST_RULES } from './rules/host.rules.js';
import { NAME_RULES } from './rules/name.rules.js';
import { PARAMETER_RULES } from './rules/parameter.rules.js';
import { RESULT_RULES } from './rules/result.rules.js';

/** Every rule, in the order of the report. */
export const LINT_RULES: readonly LintRule[] = [
  ...HOST_RULES,
  ...NAME_RULES,
  ...DESCRIPTION_RULES,
  ...PARAMETER_RULES,
  ...RESULT_RULES,
  ...SIZE_RULES,
];

/** Settings of the linter. */
export interface LintSettings {
  /** Rules by ID, each with a different severity or `off`. @default as in `docs/lint.md` */
  readonly rules?: { readonly [id: string]: LintSeverity | 'off' };
  /** The maximum number of tokens in the tool list. @default 10000 */
  readonly maxTokens?: number;
}

/** One finding. */
export interface LintFinding extends LintProblem {
  /** The rule id. */
  readonly rule: string;
  readonly severity: LintSeverity;
}

/** The estimated size of a tool's description for a model, in tokens. */
export interface ToolSize {
  readonly name: string;
  readonly tokens: number | undefined;
}

/** The result of linting a catalog. */
export interface LintReport {
  /** Findings, most severe first, then by rule. */
  readonly findings: readonly LintFinding[];
  /** Tools, the largest first. */
  readonly sizes: readonly ToolSize[];
  /** The total for all tools. */
  readonly tokens: number;
  /** Whether the whole catalog was linted. A list that is too large to use is cut. */
  readonly isWhole: boolean;
}

/** How severities are ordered. */
export const SEVERITIES: readonly LintSeverity[] = ['error', 'warning', 'advice'];

/** The default limit of tokens in the tool list. */
export const USUAL_TOKENS = 10_000;

/** The maximum number of entries to lint per kind, and of findings to report per rule. */
const MOST_ITEMS = 2_000;
const MOST_FINDINGS = 500;

/**
 * Lints a server's lists as models and hosts see them.
 *
 * @throws {RangeError} if a rule is unknown
 */
export function lintCatalog(catalog: ListedCatalog, settings: LintSettings = {}): LintReport {
  const { rules = {}, maxTokens = USUAL_TOKENS } = settings;
  for (const id of Object.keys(rules)) assertRule(id);
  const read = readCatalog(cut(catalog));
  const findings = LINT_RULES.flatMap(({ id, severity, find }) => {
    const level = rules[id] ?? severity;
    if (level === 'off') return [];
    return [...take(find(read, { maxTokens }))].map((problem) => ({ rule: id, severity: level, ...problem }));
  });
  const rank = ({ severity }: LintFinding) => SEVERITIES.indexOf(severity);
  return {
    findings: findings.toSorted((one, other) => rank(one) - rank(other)),
    sizes: read.tools
      .map(({ key, tokens }) => ({ name: show(key), tokens }))
      .toSorted((one, other) => (other.tokens ?? Infinity) - (one.tokens ?? Infinity)),
    tokens: sumTokens(read),
    isWhole:
      read.isWhole &&
      catalog.isCut !== true &&
      LISTED_KINDS.every((kind) => (catalog[kind]?.length ?? 0) <= MOST_ITEMS),
  };
}

/**
 * Checks that a rule exists.
 *
 * @throws {RangeError} if it does not exist; the message suggests a similar rule
 */
export function assertRule(id: string): void {
  const ids = LINT_RULES.map((rule) => rule.id);
  if (ids.includes(id)) return;
  const closest = findClosestName(id, ids);
  throw new RangeError(
    `There is no rule ${show(id)}: ${closest === undefined ? 'see the page "Lint" for all rules' : `did you mean "${closest}"?`}`,
  );
}

function cut(catalog: ListedCatalog): ListedCatalog {
  const kinds = LISTED_KINDS.filter((kind) => catalog[kind] !== undefined);
  const listed = kinds.map((kind) => [kind, catalog[kind]?.slice(0, MOST_ITEMS)] as const);
  return { ...catalog, ...Object.fromEntries(listed) };
}

function* take(problems: Iterable<LintProblem>): Generator<LintProblem> {
  let left = MOST_FINDINGS;
  for (const problem of problems) {
    if (left === 0) return;
    left -= 1;
    yield problem;
  }
}
