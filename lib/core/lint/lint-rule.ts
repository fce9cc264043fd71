import type { ReadCatalog } from './read-catalog.js';

/** A finding's severity, from what hosts reject to what could be improved. */
export type LintSeverity = 'error' | 'warning' | 'advice';

/** A finding of a rule, and what to do about it. */
export interface LintProblem {
  /** The subject, such as `tool "find_ticket"`, safe to show. */
  readonly subject: string;
  /** The path in it, such as `properties.address`, safe to show. Empty for the whole subject. @default '' */
  readonly path?: string;
  /** The problem, phrased to follow the subject. */
  readonly found: string;
  readonly fix: string;
}

/** Limits that an application may set. */
export interface LintLimits {
  /** The maximum tokens of the tool list. */
  readonly maxTokens: number;
}

/** One check on a catalog. */
export interface LintRule {
  /** Its name, which does not change. */
  readonly id: string;
  /** The default severity. */
  readonly severity: LintSeverity;
  readonly find: (catalog: ReadCatalog, limits: LintLimits) => Iterable<LintProblem>;
}
