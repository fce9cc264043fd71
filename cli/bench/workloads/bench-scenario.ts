import type { BareProcess } from '../bare/bare-process.js';
import type { LoadTarget } from '../wire/load-target.js';
import type { LoadSessions } from '../wire/load-sessions.js';

/** The properties that all workloads of a run share. */
export interface BenchScenario {
  readonly target: LoadTarget;
  readonly bare: BareProcess;
  /** Opens the server's sessions, if it has a handshake. */
  readonly sessions: LoadSessions;
  readonly connections: number;
  /** The duration of each workload in milliseconds. */
  readonly budgetMs: number;
  /** Aborted on Ctrl-C. */
  readonly interrupt: AbortSignal;
}
