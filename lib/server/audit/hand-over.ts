import type { AuditedFacts } from './audited-facts.interface.js';

/** What is done with one event, while it is handed over. */
export interface HandOver {
  /** The source of the event, which decides for whom it counts. */
  readonly facts: AuditedFacts;
  /** Whether room was kept for it before its operation was done. */
  readonly isAdmitted: boolean;
  /** Whether somebody failed to take it. */
  hasFailed: boolean;
  /** Resolves when slow receivers have finished. They never reject. */
  waiting: Promise<void>[] | undefined;
}

/** Finds the current hand-over, if a receiver is being called within one. */
export type FindHandOver = () => HandOver | undefined;
