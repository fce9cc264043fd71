import { parseArgs } from 'node:util';

/** How one run goes. Times are in milliseconds. */
export interface Plan {
  readonly sessions: number;
  /** All of the load, the warm-up included. */
  readonly loadMs: number;
  readonly warmUpMs: number;
  /** Between two samples. */
  readonly sampleMs: number;
  /** What a visitor waits for between two acts, on average. */
  readonly thinkMs: number;
  /** How much the heap may grow from the first to the last third. */
  readonly flatPercent: number;
  readonly bounds: ServerBounds;
}

/** The time-outs of the server: short, so that all of them are reached in a run. */
export interface ServerBounds {
  readonly idleTimeoutMs: number;
  readonly lifetimeMs: number;
  /** How long an answer of a client is waited for. */
  readonly answerMs: number;
  readonly taskTtlMs: number;
  readonly maxSessions: number;
}

/** Visitors of other kinds for each session, see `population.ts`. */
export const SHARES = { stateless: 0.1, sse: 0.05 } as const;

/**
 * Parses the command line.
 *
 * @throws Error if an option is unknown or no number
 */
export function parsePlan(argumentList: string[]): Plan {
  const { values } = parseArgs({
    args: argumentList,
    options: {
      minutes: { type: 'string', default: '10' },
      sessions: { type: 'string', default: '2000' },
      /** Acts a second, of all visitors together. */
      rate: { type: 'string', default: '100' },
      /** Per cent that the heap may grow by. */
      flat: { type: 'string', default: '5' },
    },
  });
  const sessions = parsePositive('sessions', values.sessions);
  const loadMs = parsePositive('minutes', values.minutes) * 60_000;
  const visitors = sessions * (1 + SHARES.stateless + SHARES.sse);
  const thinkMs = Math.ceil((visitors / parsePositive('rate', values.rate)) * 1000);
  return {
    sessions,
    loadMs,
    warmUpMs: Math.max(loadMs / 4, 3 * thinkMs),
    sampleMs: Math.min(Math.max(loadMs / 60, 1500), 10_000),
    thinkMs,
    flatPercent: parsePositive('flat', values.flat),
    bounds: {
      idleTimeoutMs: Math.max(2000, 2 * thinkMs),
      lifetimeMs: Math.max(8000, 5 * thinkMs),
      answerMs: Math.max(700, Math.min(Math.ceil(thinkMs / 2), 5000)),
      taskTtlMs: Math.max(2000, 2 * thinkMs),
      maxSessions: Math.ceil(4 * sessions),
    },
  };
}

function parsePositive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`"--${name} ${text}" is no number above 0`);
}
