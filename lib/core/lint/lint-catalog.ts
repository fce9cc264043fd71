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
  /** Rules by ID, each with another severity or `off`. @default as in `docs/lint.md` */
  readonly rules?: { readonly [id: string]: LintSeverity | 'off' };
  /** The maximum tokens of the tool list. @default 10000 */
  readonly maxTokens?: number;
}

/** One finding. */
export interface LintFinding extends LintProblem {
  /** The id of the rule. */
  readonly rule: string;
  readonly severity: LintSeverity;
}

/** The size of a tool's description for a model, in tokens, as an estimate. */
export interface ToolSize {
  readonly name: string;
  readonly tokens: number | undefined;
}

/** The result of judging a catalog. */
export interface LintReport {
  /** Findings, most severe first, then by rule. */
  readonly findings: readonly LintFinding[];
  /** Tools, the largest first. */
  readonly sizes: readonly ToolSize[];
  /** The sum for all tools. */
  readonly tokens: number;
  /** Whether the whole catalog was judged. A list that is too large to use is cut. */
  readonly isWhole: boolean;
}

/** How severities are ordered. */
export const SEVERITIES: readonly LintSeverity[] = ['error', 'warning', 'advice'];

/** The default limit of tokens in the tool list. */
export const USUAL_TOKENS = 10_000;

/** The maximum entries of a kind that are judged, and findings of a rule that are reported. */
const MOST_ITEMS = 2_000;
const MOST_FINDINGS = 500;

/**
 * Judges what a server lists, as models and hosts see it.
 *
 * @throws {RangeError} if a rule is not known
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
 * Checks that there is such a rule.
 *
 * @throws {RangeError} if there is none, with a suggestion
 */
export function assertRule(id: string): void {
  const ids = LINT_RULES.map((rule) => rule.id);
  if (ids.includes(id)) return;
  const closest = findClosestName(id, ids);
  throw new RangeError(
    `There is no rule ${show(id)}: ${closest === undefined ? 'the page "Lint" lists all' : `did you mean "${closest}"?`}`,
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
