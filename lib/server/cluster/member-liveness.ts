import type { ClusterBus, ClusterTimeouts } from './cluster-bus.js';

/** Milliseconds for which one process's finding is enough for all. */
const LOOK_MS = 250;

/** A process that was not looked for longer than this may have been there meanwhile. */
const LOOKED_MS = 3000;

/** Milliseconds until the next check whether a process is gone. It may only have been stalled. */
const GONE_MS = 10_000;

/** Milliseconds for which it is remembered: it may be back for long, and not counted for a moment. */
const REMEMBERED_MS = 60_000;

/** Processes of which something is remembered. */
const MOST_REMEMBERED = 1000;

/** Whether a process is counted; `missing` if it is not, and `unknown` if that cannot be told. */
export type Presence = 'there' | 'missing' | 'gone' | 'unknown';

interface Absence {
  readonly since: number;
  readonly seen: number;
  /** Until when it is taken for gone without another look. */
  readonly goneUntil?: number;
}

interface LivenessCheck<Result> {
  readonly at: number;
  readonly result: Promise<Result>;
}

/** Finds out which processes are gone. However many ask, there is one look for all of them. */
export class MemberLiveness {
  readonly #known = new Map<string, Absence>();
  readonly #looks = new Map<string, LivenessCheck<Presence>>();
  #list: LivenessCheck<readonly string[] | undefined> | undefined;

  constructor(
    private readonly bus: Pick<ClusterBus, 'shared'>,
    private readonly waits: Pick<ClusterTimeouts, 'certainMs'>,
  ) {}

  /** Tells whether it was found out a moment ago that a process is gone. */
  isGone(member: string): boolean {
    return (this.#known.get(member)?.goneUntil ?? 0) > performance.now();
  }

  /** Notes that a process has answered. */
  forget(member: string): void {
    this.#known.delete(member);
  }

  /** Looks whether a process is there. It never rejects. */
  check(member: string): Promise<Presence> {
    const latest = this.#looks.get(member);
    if (latest !== undefined && isFresh(latest)) return latest.result;
    const look = { at: performance.now(), result: this.#look(member) };
    remember(this.#looks, member, look);
    return look.result;
  }

  async #look(member: string): Promise<Presence> {
    const members = await this.#listMembers();
    if (members === undefined) return 'unknown';
    if (members.includes(member)) {
      this.#known.delete(member);
      return 'there';
    }
    const now = performance.now();
    const { since, isGone } = this.#readOn(member, now);
    const isCertain = isGone || now - since >= this.waits.certainMs || (await this.#hasEnded(member));
    remember(this.#known, member, { since, seen: now, ...(isCertain && { goneUntil: now + GONE_MS }) });
    return isCertain ? 'gone' : 'missing';
  }

  /** Since when a process is away, as far as it was looked for all the time, and whether it was gone before. */
  #readOn(member: string, now: number): { readonly since: number; readonly isGone: boolean } {
    const known = this.#known.get(member);
    const isGone = known?.goneUntil !== undefined && now - known.seen <= REMEMBERED_MS;
    return known !== undefined && now - known.seen <= LOOKED_MS
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

/** Returns the key of the record that says that a process has ended by itself. */
export function formatEndedKey(member: string): string {
  return `ended:${member}`;
}

function isFresh({ at }: LivenessCheck<unknown>): boolean {
  return performance.now() - at < LOOK_MS;
}

function remember<Known>(known: Map<string, Known>, member: string, value: Known): void {
  known.delete(member);
  known.set(member, value);
  const [oldest] = known.size > MOST_REMEMBERED ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
}
