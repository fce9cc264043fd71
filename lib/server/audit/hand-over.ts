import type { AuditOwner } from './audit-owner.js';

/** What is handed over, and on whose account. */
export interface Handed {
  readonly findOwner: () => AuditOwner;
  /** Whether room was kept for it before its operation was done. @default false */
  readonly isAdmitted?: boolean | undefined;
}

/** What is done with one event, while it is handed over. */
export interface HandOver extends Handed {
  /** Whether somebody failed to take it. */
  hasFailed: boolean;
  /** Is done when whoever takes its time has taken it. They never reject. */
  waiting: Promise<void>[] | undefined;
}

/** Finds the hand-over that is going on, if whoever receives is called within one. */
export type FindHandOver = () => HandOver | undefined;
