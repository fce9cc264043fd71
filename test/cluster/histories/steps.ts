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
