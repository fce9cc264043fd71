import { parseArgs } from 'node:util';

/** How one simulation goes. */
export interface ClusterPlan {
  readonly processes: number;
  readonly sessions: number;
  /** How many processes each session reaches before it falls idle. */
  readonly spread: number;
  /** Sessions that read a standing stream. */
  readonly streams: number;
  /** Streams of `subscriptions/listen`. */
  readonly listeners: number;
  /** Idle sessions that open their stream at the end, and are owed everything since their handshake. */
  readonly returning: number;
  /** Numbers that are told while nothing goes wrong, and as many beside each process that is killed. */
  readonly messages: number;
  /** Between two of them, in milliseconds. */
  readonly intervalMs: number;
  /** Clients that call all the time while processes are killed, each time in another session. */
  readonly callers: number;
  /** Processes that are killed, one after the other. */
  readonly kills: number;
}

const DEFAULTS: ClusterPlan = {
  processes: 4,
  sessions: 100_000,
  spread: 1,
  streams: 1000,
  listeners: 200,
  returning: 100,
  messages: 500,
  intervalMs: 20,
  callers: 8,
  kills: 2,
};

/**
 * Parses the command line: each member of the plan is an option, such as `--sessions 1000`.
 *
 * @throws Error if an option is unknown, no whole number, or asks for more than there is
 */
export function parseClusterPlan(argumentList: string[]): ClusterPlan {
  const names = Object.keys(DEFAULTS).map((name) => [name, { type: 'string' }] as const);
  const { values } = parseArgs({ args: argumentList, options: Object.fromEntries(names) });
  const given = Object.entries(values).map(([name, text]) => [name, parseCount(name, String(text))]);
  const plan = { ...DEFAULTS, ...(Object.fromEntries(given) as Partial<ClusterPlan>) };
  assertWithin(plan, 'streams', 'sessions');
  assertWithin(plan, 'spread', 'processes');
  if (plan.processes < 2) throw new Error('"--processes" has to be 2 or more');
  if (plan.streams + plan.returning > plan.sessions)
    throw new Error('"--streams" and "--returning" together have to be "--sessions" at most');
  return plan;
}

function parseCount(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`"--${name} ${text}" has to be a whole number`);
}

function assertWithin(plan: ClusterPlan, name: keyof ClusterPlan, most: keyof ClusterPlan): void {
  if (plan[name] > plan[most]) throw new Error(`"--${name}" has to be "--${most}" at most, ${plan[most]}`);
}
