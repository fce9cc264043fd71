import type { Level } from '../../../support/cluster/shared-history.js';

export const LONG_MS = 60_000;
/** After everybody has heard what came later, nothing comes that was due before. */
export const LATE_MS = 5_000;
/** After so long a sign that did not come is given again: it may have been told where it was published alone. */
export const AGAIN_MS = 3_000;

/** Who takes part, and what clients choose from. */
export const CLIENTS = 8;
export const LEVELS: readonly Level[] = ['debug', 'info', 'warning'];
export const URIS = ['cluster://watched', 'cluster://one', 'cluster://two'];

/** What clients and processes do, by how often. */
export const SMALL_STEPS = {
  say: 320,
  update: 200,
  burst: 60,
  changeList: 20,
  changeInterest: 120,
  lose: 140,
  leave: 60,
  comeBack: 70,
};

/** What befalls the server, and loses nothing. */
export const FAULTS = { killProcess: 3, endProcess: 2, stopProcess: 4, restartRedis: 4, cutRedis: 8 };

/** What loses messages, of which clients are told. */
export const LOSSES = { emptyRedis: 4, exceedRetention: 2 };

/** What befalls Redis and the processes together, and loses nothing but what a killed process alone knew. */
export const ABSENCES = {
  hangRedis: 6,
  hangAndKill: 3,
  killAtOnce: 3,
  restartWithLevels: 5,
  cutConnections: 3,
  standStill: 3,
};
