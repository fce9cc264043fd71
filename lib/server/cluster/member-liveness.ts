import type { ClusterBus, ClusterTimeouts } from './cluster-bus.js';

/** How long a check's result is cached, in milliseconds. */
const CACHED_MS = 250;

/** The maximum pause between checks, in milliseconds, for a process to count as continuously missing. */
const LONGEST_PAUSE_MS = 3000;

/** The pause until the next check of a process that is gone, in milliseconds. It may only have been stalled. */
const GONE_MS = 10_000;

/** How long an absence is remembered, in milliseconds. A process that has returned may briefly be missing again. */
const REMEMBERED_MS = 60_000;

/** The number of processes that are remembered. */
const MOST_REMEMBERED = 1000;

/** Whether a process is a member. `missing` if it is not, and `unknown` if that cannot be determined. */
export type Presence = 'there' | 'missing' | 'gone' | 'unknown';

interface Absence {
  readonly since: number;
  readonly seen: number;
  /** When it must be checked again; until then it is considered gone. */
  readonly goneUntil?: number;
}

interface LivenessCheck<Result> {
  readonly at: number;
  readonly result: Promise<Result>;
}

/** Determines which processes are gone. Concurrent callers share one check. */
export class MemberLiveness {
  readonly #known = new Map<string, Absence>();
  readonly #checks = new Map<string, LivenessCheck<Presence>>();
  #list: LivenessCheck<readonly string[] | undefined> | undefined;

  constructor(
    private readonly bus: Pick<ClusterBus, 'shared'>,
    private readonly waits: Pick<ClusterTimeouts, 'certainMs'>,
  ) {}

  /** Returns whether a recent check found that a process is gone. */
  isGone(member: string): boolean {
    return (this.#known.get(member)?.goneUntil ?? 0) > performance.now();
  }

  /** Records that a process has responded. */
  forget(member: string): void {
    this.#known.delete(member);
  }

  /** Checks whether a process is a member. It never rejects. */
  check(member: string): Promise<Presence> {
    const latest = this.#checks.get(member);
    if (latest !== undefined && isFresh(latest)) return latest.result;
    const check = { at: performance.now(), result: this.#check(member) };
    remember(this.#checks, member, check);
    return check.result;
  }

  async #check(member: string): Promise<Presence> {
    const members = await this.#listMembers();
    if (members === undefined) return 'unknown';
    if (members.includes(member)) {
      this.#known.delete(member);
      return 'there';
    }
    const now = performance.now();
    const { since, isGone } = this.#findAbsence(member, now);
    const isCertain = isGone || now - since >= this.waits.certainMs || (await this.#hasEnded(member));
    remember(this.#known, member, { since, seen: now, ...(isCertain && { goneUntil: now + GONE_MS }) });
    return isCertain ? 'gone' : 'missing';
  }

  /** Returns how long a process has been missing in all checks, and whether it was gone before. */
  #findAbsence(member: string, now: number): { readonly since: number; readonly isGone: boolean } {
    const known = this.#known.get(member);
    const isGone = known?.goneUntil !== undefined && now - known.seen <= REMEMBERED_MS;
    return known !== undefined && now - known.seen <= LONGEST_PAUSE_MS
      ? { since: known.since, isGone }
      : { since: now, isGone };
  }

  #listMembers(): Promise<readonly string[] | undefined> {
    if (this.#list === undefined || !isFresh(this.#list)) {
      const result = this.bus.shared?.members().catch(() => undefined) ?? Promise.resolve(undefined);
      this.#list = { at: performance.now(), result };
    }
    return this.#list.result;
  }

  async #hasEnded(member: string): Promise<boolean> {
    const record = await this.bus.shared?.find(formatEndedKey(member)).catch(() => undefined);
    return record?.['ended'] !== undefined;
  }
}

/** Returns the key of the record that a process writes on shutdown. */
export function formatEndedKey(member: string): string {
  return `ended:${member}`;
}

function isFresh({ at }: LivenessCheck<unknown>): boolean {
  return performance.now() - at < CACHED_MS;
}

function remember<Known>(known: Map<string, Known>, member: string, value: Known): void {
  known.delete(member);
  known.set(member, value);
  const [oldest] = known.size > MOST_REMEMBERED ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
}
