import { IdleOrder } from './idle-order.js';
import type { PlaceHolder } from './place-holder.interface.js';

/** For so long after its handshake a client may be on its way with its first request. */
const FIRST_REQUEST_MS = 1000;

/** What callers without a token hold: those that did nothing since their handshake go before those that did. */
export class Strangers {
  readonly #unused = new IdleOrder();
  readonly #used = new IdleOrder();

  get size(): number {
    return this.#unused.size + this.#used.size;
  }

  add(holder: PlaceHolder): void {
    (holder.isUsed ? this.#used : this.#unused).add(holder);
  }

  remove(holder: PlaceHolder): boolean {
    return this.#unused.remove(holder) || this.#used.remove(holder);
  }

  /** Puts a holder that is used behind all others. */
  renew(holder: PlaceHolder): void {
    if (this.remove(holder)) this.#used.add(holder);
  }

  /** Finds who makes room for another. Whoever has only just shaken hands does so only if nobody was idle for longer. */
  findIdle(): PlaceHolder | undefined {
    const unused = this.#unused.find(isNotRunning);
    if (unused !== undefined && performance.now() - unused.usedAt >= FIRST_REQUEST_MS) return unused;
    const used = this.#used.find(isNotRunning);
    if (unused === undefined || used === undefined) return unused ?? used;
    return unused.usedAt <= used.usedAt ? unused : used;
  }
}

/** A stranger's stream does not keep its place: it costs its client nothing. */
export function isNotRunning({ isRunning }: PlaceHolder): boolean {
  return !isRunning;
}
