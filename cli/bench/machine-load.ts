import { availableParallelism, loadavg } from 'node:os';

/** A machine's load, and its number of processors. */
export interface MachineLoad {
  /** Processes that ran or waited to run in the last minute; 0 on Windows, which does not report it. */
  readonly average: number;
  readonly processors: number;
}

/** Reads this machine's load before a measurement, which adds to it. */
export function readMachineLoad(): MachineLoad {
  const [average = 0] = loadavg();
  return { average, processors: availableParallelism() };
}

/** Explains that other processes leave too little CPU time for a measurement. Returns `undefined` if they do not. */
export function describeOverload({ average, processors }: MachineLoad): string | undefined {
  if (average <= processors) return undefined;
  const noun = processors === 1 ? 'processor' : 'processors';
  return `The machine had a load average of ${average.toFixed(1)} on ${processors} ${noun}: measure again when it is idle.`;
}
