/** A call that waits for its turn. */
export interface WaitingCall {
  readonly caller: string;
  /** Refuses it to make room. */
  giveUp(): void;
}

/** The waiting calls, up to a bound. */
export class CallQueue {
  readonly #calls = new Map<string, Set<WaitingCall>>();
  #size = 0;

  constructor(private readonly length: number) {}

  get size(): number {
    return this.#size;
  }

  /** How many calls of a caller wait. */
  count(caller: string): number {
    return this.#calls.get(caller)?.size ?? 0;
  }

  /** Makes room for a call. In a full queue, the caller with the most calls loses one. Tells whether there is room. */
  makeRoom(caller: string): boolean {
    if (this.#size < this.length) return true;
    const [most, calls] = this.#findMost();
    if (calls === undefined || this.count(caller) + 1 >= this.count(most)) return false;
    // Who came last has waited least.
    [...calls].at(-1)?.giveUp();
    return true;
  }

  add(call: WaitingCall): void {
    const own = this.#calls.get(call.caller);
    if (own === undefined) this.#calls.set(call.caller, new Set([call]));
    else own.add(call);
    this.#size += 1;
  }

  remove(call: WaitingCall): void {
    const own = this.#calls.get(call.caller);
    if (own?.delete(call) !== true) return;
    this.#size -= 1;
    if (own.size === 0) this.#calls.delete(call.caller);
  }

  #findMost(): readonly [caller: string, calls: ReadonlySet<WaitingCall> | undefined] {
    let most: readonly [string, ReadonlySet<WaitingCall> | undefined] = ['', undefined];
    for (const entry of this.#calls) if (entry[1].size > (most[1]?.size ?? 0)) most = entry;
    return most;
  }
}
