import type { CallReport } from '../../lib/core/development/report.js';
import { makeName } from '../visible-text.js';

/** The maximum number of calls to print per second. Further calls are only counted. */
const MOST_LINES = 20;
const PERIOD_MS = 1000;

/** Prints calls as they occur, and only counts of calls above the limit. */
export class CallLines {
  #printed = 0;
  #skipped = new Map<string, number>();
  #period: NodeJS.Timeout | undefined;

  constructor(private readonly print: (line: string) => void) {}

  add(call: CallReport): void {
    this.#period ??= setInterval(() => this.#beginPeriod(), PERIOD_MS).unref();
    if (this.#printed < MOST_LINES) {
      this.#printed += 1;
      this.print(formatCall(call));
    } else this.#count(call.outcome, 1);
  }

  /** Counts calls that were not reported. */
  addLost(calls: number): void {
    this.#period ??= setInterval(() => this.#beginPeriod(), PERIOD_MS).unref();
    this.#count('not reported', calls);
  }

  /** Prints the pending lines. */
  close(): void {
    this.#printSkipped();
    clearInterval(this.#period);
    this.#period = undefined;
  }

  #count(outcome: string, calls: number): void {
    this.#skipped.set(outcome, (this.#skipped.get(outcome) ?? 0) + calls);
  }

  #beginPeriod(): void {
    this.#printSkipped();
    if (this.#printed === 0) this.close();
    this.#printed = 0;
  }

  #printSkipped(): void {
    if (this.#skipped.size === 0) return;
    const calls = [...this.#skipped.values()].reduce((sum, number) => sum + number, 0);
    const outcomes = [...this.#skipped].map(([outcome, number]) => `${makeName(outcome)}: ${number}`);
    this.#skipped = new Map();
    this.print(`and ${calls} more ${calls === 1 ? 'call' : 'calls'} (${outcomes.join(', ')})`);
  }
}

/** Formats a call: time, caller, method, outcome and duration. */
export function formatCall(call: CallReport, now = new Date()): string {
  const { event, method = '?', target, outcome, reason, errorCode, durationMs } = call;
  const what = target === undefined ? makeName(method) : `${makeName(method)} ${makeName(target)}`;
  // Requests rejected before they reach a method share an error code, so the reason is more specific.
  const why = reason ?? errorCode;
  const ending = why === undefined ? makeName(outcome) : `${makeName(outcome)} (${makeName(String(why))})`;
  const kind = event === 'request' ? '' : `${makeName(event)} `;
  return `${formatTime(now)}  ${formatCaller(call)}  ${kind}${what}  ${ending}  ${formatDuration(durationMs)}`;
}

function formatCaller({ subject, client, address }: CallReport): string {
  if (subject !== undefined)
    return client === undefined ? makeName(subject) : `${makeName(subject)} via ${makeName(client)}`;
  return makeName(client ?? address ?? 'this process');
}

function formatTime(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function formatDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
