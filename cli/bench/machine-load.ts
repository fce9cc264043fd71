import { availableParallelism, loadavg } from 'node:os';

/** What a machine has to do, and what it has for that. */
export interface MachineLoad {
  /** Processes that ran or waited to run in the last minute; 0 on Windows, which does not say it. */
  readonly average: number;
  readonly processors: number;
}

/** Reads the load of this machine: before a measurement, which is a load itself. */
export function readMachineLoad(): MachineLoad {
  const [average = 0] = loadavg();
  return { average, processors: availableParallelism() };
}

/** Says that others leave a measurement too little of the machine. Returns `undefined` if they do not. */
export function describeOverload({ average, processors }: MachineLoad): string | undefined {
  if (average <= processors) return undefined;
  const noun = processors === 1 ? 'processor' : 'processors';
  return `The machine has a load of ${average.toFixed(1)} on ${processors} ${noun}: measure again when it is idle.`;
}
