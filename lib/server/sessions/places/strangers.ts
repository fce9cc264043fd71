import { IdleOrder } from './idle-order.js';
import type { PlaceHolder } from './place-holder.interface.js';

/** For so long after its handshake a client may be on its way with its first request. */
const FIRST_REQUEST_MS = 1000;

/** The sessions of callers without a token. Sessions that are unused since their handshake end first. */
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

  /**
   * Returns the sessions that make room for others, in their order. A session with a recent handshake makes room only if no
   * session was idle longer.
   */
  *select(): Generator<PlaceHolder, undefined> {
    const settled = performance.now() - FIRST_REQUEST_MS;
    const unused = this.#unused.select(isNotRunning);
    const used = this.#used.select(isNotRunning);
    let one = unused.next();
    let other = used.next();
    while (one.value !== undefined || other.value !== undefined) {
      if (isBefore(one.value, other.value, settled)) {
        yield one.value;
        one = unused.next();
      } else if (other.value !== undefined) {
        yield other.value;
        other = used.next();
      }
    }
  }

  /** Finds who makes room for another. */
  find(): PlaceHolder | undefined {
    return this.select().next().value;
  }
}

/** Tells whether an unused session makes room before a used one. */
function isBefore(
  unused: PlaceHolder | undefined,
  used: PlaceHolder | undefined,
  settled: number,
): unused is PlaceHolder {
  if (unused === undefined || used === undefined) return unused !== undefined;
  return unused.usedAt <= Math.max(settled, used.usedAt);
}

/** A stranger's stream does not keep its place: it costs its client nothing. */
export function isNotRunning({ isRunning }: PlaceHolder): boolean {
  return !isRunning;
}
