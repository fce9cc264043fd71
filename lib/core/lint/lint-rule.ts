import type { ReadCatalog } from './read-catalog.js';

/** The severity of a finding, from what hosts refuse to what could be better. */
export type LintSeverity = 'error' | 'warning' | 'advice';

/** A finding of a rule, and what to do about it. */
export interface LintProblem {
  /** The subject, such as `tool "find_ticket"`, safe to show. */
  readonly subject: string;
  /** The path in it, such as `properties.address`, safe to show. Empty for the whole subject. @default '' */
  readonly path?: string;
  /** What is wrong, as the end of a sentence that begins with the subject. */
  readonly found: string;
  readonly fix: string;
}

/** Limits that an application may set. */
export interface LintLimits {
  /** The maximum tokens of the tool list. */
  readonly maxTokens: number;
}

/** One check of a catalog. */
export interface LintRule {
  /** Its name, which does not change. */
  readonly id: string;
  /** The default severity. */
  readonly severity: LintSeverity;
  readonly find: (catalog: ReadCatalog, bounds: LintLimits) => Iterable<LintProblem>;
}
