import type { ReadCatalogue } from './read-catalogue.js';

/** How bad a finding is, from what hosts refuse to what could be better. */
export type LintSeverity = 'error' | 'warning' | 'advice';

/** What a rule found, and what to do about it. */
export interface LintFault {
  /** What it is about, such as `tool "find_ticket"`, fit to be shown. */
  readonly subject: string;
  /** Where in it, such as `properties.address`, fit to be shown; empty for all of it. @default '' */
  readonly place?: string;
  /** What is wrong, as the rest of a sentence that begins with the subject. */
  readonly found: string;
  readonly remedy: string;
}

/** Bounds that an application may set itself. */
export interface LintBounds {
  /** The most tokens that the list of tools may take. */
  readonly maximumTokens: number;
}

/** One thing that is looked for in a catalogue. */
export interface LintRule {
  /** Its name, which does not change. */
  readonly id: string;
  /** How bad it is unless somebody says otherwise. */
  readonly severity: LintSeverity;
  readonly find: (catalogue: ReadCatalogue, bounds: LintBounds) => Iterable<LintFault>;
}
