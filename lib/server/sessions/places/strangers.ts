import { IdleOrder } from './idle-order.js';
import type { PlaceHolder } from './place-holder.interface.js';

/** For so long after its handshake a client may be on its way with its first request. */
const FIRST_REQUEST_MS = 1000;

/** Newcomers may have one of so many parts before they make room themselves, rather than idle sessions. */
const NEWCOMERS_SHARE = 4;

/**
 * The sessions of callers without a token. Those whose clients have not confirmed the handshake make room first, then those that
 * were never used, then the longest idle. A session in use makes no room for a stranger: otherwise a flood of handshakes would
 * end it.
 */
export class Strangers {
  readonly #unconfirmed = new IdleOrder();
  readonly #unused = new IdleOrder();
  readonly #used = new IdleOrder();

  get size(): number {
    return this.#newcomers + this.#used.size;
  }

  add(holder: PlaceHolder): void {
    this.#selectOrder(holder).add(holder);
  }

  remove(holder: PlaceHolder): boolean {
    return this.#unconfirmed.remove(holder) || this.#unused.remove(holder) || this.#used.remove(holder);
  }

  /** Puts a holder that is used, or confirmed, behind the others that have come as far. */
  renew(holder: PlaceHolder): void {
    if (this.remove(holder)) this.add(holder);
  }

  /**
   * Yields the sessions that make room for others, in their order. A recent handshake makes no room before an idle session
   * unless there are many of them: it would never come to its first request.
   *
   * @param mayEndUsed whether those in use make room too, after all others
   */
  *select(mayEndUsed = false): Generator<PlaceHolder, undefined> {
    const settled = performance.now() - FIRST_REQUEST_MS;
    const isDue = (newcomer: PlaceHolder | undefined, count: number): boolean =>
      newcomer !== undefined && (newcomer.usedAt <= settled || count > this.size / NEWCOMERS_SHARE);
    const unconfirmed = new Candidates(this.#unconfirmed.select(isNotRunning));
    const unused = new Candidates(this.#unused.select(isNotRunning));
    const idle = new Candidates(this.#used.select((holder) => isNotRunning(holder) && !holder.isInUse));
    for (;;) {
      const due = [
        ...(isDue(unconfirmed.first, this.#unconfirmed.size) ? [unconfirmed] : []),
        ...(isDue(unused.first, this.#newcomers) ? [unused] : []),
      ];
      const leaving = [...due, idle, unconfirmed, unused].find(({ first }) => first !== undefined)?.take();
      if (leaving === undefined) break;
      yield leaving;
    }
    if (mayEndUsed) yield* this.#used.select(isNotRunning);
  }

  /** Finds who makes room for another. */
  find(mayEndUsed = false): PlaceHolder | undefined {
    return this.select(mayEndUsed).next().value;
  }

  get #newcomers(): number {
    return this.#unconfirmed.size + this.#unused.size;
  }

  #selectOrder({ isUsed, isLive }: PlaceHolder): IdleOrder {
    if (isUsed) return this.#used;
    return isLive ? this.#unused : this.#unconfirmed;
  }
}

/** Those of one kind that may make room, in their order. */
class Candidates {
  #next: IteratorResult<PlaceHolder, undefined>;

  constructor(private readonly holders: Iterator<PlaceHolder, undefined>) {
    this.#next = holders.next();
  }

  get first(): PlaceHolder | undefined {
    return this.#next.value;
  }

  take(): PlaceHolder | undefined {
    const { value } = this.#next;
    this.#next = this.holders.next();
    return value;
  }
}

/** A stranger's stream does not keep its place: it costs its client nothing. */
export function isNotRunning({ isRunning }: PlaceHolder): boolean {
  return !isRunning;
}
