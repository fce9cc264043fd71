import type { BareProcess } from '../bare/bare-process.js';
import type { LoadTarget } from '../wire/load-target.js';
import type { LoadSessions } from '../wire/load-sessions.js';

/** What all workloads of a run have in common. */
export interface BenchScenario {
  readonly target: LoadTarget;
  readonly bare: BareProcess;
  /** Opens the sessions of the server, if it has a handshake. */
  readonly sessions: LoadSessions;
  readonly connections: number;
  /** The milliseconds that each workload has. */
  readonly budgetMs: number;
  /** Is aborted at Ctrl-C. */
  readonly interrupt: AbortSignal;
}
