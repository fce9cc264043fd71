import { parseArgs } from 'node:util';

import { FLOOR_WORKLOADS } from './floor.js';
import type { Plan } from './plan.js';
import type { Workload } from './workload.js';
import { WORKLOADS } from './workloads.js';

export interface Options {
  plan: Plan;
  workloads: Workload[];
  json: boolean;
  quick: boolean;
  /** Whether a limit that does not hold fails the run. */
  strict: boolean;
  /** Where our servers write what they spend their processor time on. */
  profileDirectory: string | undefined;
  /** Whether the pages on performance are written again from the run. */
  report: boolean;
  /** Files of runs from which it is written instead, without measuring. */
  savedRuns: string[];
}

const FULL: Plan = {
  firstWarmUpMs: 2000,
  load: { rounds: 20, connections: 16, warmUpMs: 50, sliceMs: 160 },
  fanOut: { rounds: 20, streams: 1000, announcements: 10 },
  wideFanOut: { rounds: 20, streams: 10_000, announcements: 2 },
  fewStreams: { rounds: 20, streams: 10, announcements: 100 },
  delivery: { rounds: 20, streams: 1, announcements: 200 },
  latency: { rounds: 20, streams: 1000, saturating: 16, saturationMs: 1000, sliceMs: 2000 },
  pauses: { rounds: 1, streams: 1000, saturating: 16, saturationMs: 1000, sliceMs: 20_000 },
  memory: { rounds: 20, streams: 200 },
  startUp: { rounds: 20 },
};

const QUICK: Plan = {
  firstWarmUpMs: 500,
  load: { rounds: 3, connections: 16, warmUpMs: 50, sliceMs: 200 },
  fanOut: { rounds: 3, streams: 100, announcements: 2 },
  wideFanOut: { rounds: 3, streams: 1000, announcements: 1 },
  fewStreams: { rounds: 3, streams: 10, announcements: 10 },
  delivery: { rounds: 3, streams: 1, announcements: 20 },
  latency: { rounds: 3, streams: 100, saturating: 16, saturationMs: 200, sliceMs: 500 },
  pauses: { rounds: 1, streams: 100, saturating: 16, saturationMs: 200, sliceMs: 2000 },
  memory: { rounds: 3, streams: 20 },
  startUp: { rounds: 3 },
};

/**
 * Parses the command line.
 *
 * @throws Error if an option is unknown, `--only` names no workload, `--soak` is no time, or a file does not follow `--report-from`
 */
export function parseOptions(argumentList: string[]): Options {
  const { values, positionals } = parseArgs({
    args: argumentList,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      profile: { type: 'string' },
      soak: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      report: { type: 'boolean', default: false },
      'report-from': { type: 'string', multiple: true, default: [] },
    },
  });
  return {
    plan: withSoak(values.quick ? QUICK : FULL, values.soak),
    workloads: selectWorkloads(values.only),
    json: values.json,
    quick: values.quick,
    strict: values.strict,
    profileDirectory: values.profile,
    report: values.report,
    savedRuns: listSavedRuns(values['report-from'], positionals),
  };
}

/** Has the workload that looks for pauses take longer. */
function withSoak(plan: Plan, seconds: string | undefined): Plan {
  if (seconds === undefined) return plan;
  if (!/^[1-9]\d{0,4}$/.test(seconds))
    throw new Error(`"--soak ${seconds}" is no time, it takes seconds such as 600`);
  return { ...plan, pauses: { ...plan.pauses, sliceMs: Number(seconds) * 1000 } };
}

function listSavedRuns(named: string[], further: string[]): string[] {
  const [stray] = further;
  if (named.length === 0 && stray !== undefined) {
    throw new Error(`"${stray}" follows no option, files of runs are given behind "--report-from"`);
  }
  return [...named, ...further];
}

/** Stands for the workloads that the limits of the floor are of. */
const FLOOR = 'floor';

function selectWorkloads(names: string[]): Workload[] {
  const unknown = names.find((name) => !WORKLOADS.some((workload) => isMeant(name, workload)));
  if (unknown !== undefined) {
    const known = WORKLOADS.map(({ name }) => name).join(', ');
    throw new Error(
      `"--only ${unknown}" names no workload, it takes "${FLOOR}" or the beginning of one of ${known}`,
    );
  }
  if (names.length === 0) return WORKLOADS;
  return WORKLOADS.filter((workload) => names.some((name) => isMeant(name, workload)));
}

function isMeant(given: string, { name }: Workload): boolean {
  return given === FLOOR ? FLOOR_WORKLOADS.has(name) : name.startsWith(given);
}
