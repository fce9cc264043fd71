import type { PlaceHolder } from './place-holder.interface.js';

/** Holders of places, the longest idle first. */
export class IdleOrder {
  readonly #holders = new Set<PlaceHolder>();

  get size(): number {
    return this.#holders.size;
  }

  add(holder: PlaceHolder): void {
    this.#holders.add(holder);
  }

  /** Takes a holder out, and tells whether it was there. */
  remove(holder: PlaceHolder): boolean {
    return this.#holders.delete(holder);
  }

  /** Puts a holder that is used behind all others. */
  renew(holder: PlaceHolder): void {
    if (this.#holders.delete(holder)) this.#holders.add(holder);
  }

  /** Finds the longest idle that may be given up. */
  find(mayGo: (holder: PlaceHolder) => boolean): PlaceHolder | undefined {
    for (const holder of this.#holders) if (mayGo(holder)) return holder;
    return undefined;
  }
}
