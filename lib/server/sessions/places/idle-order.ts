import type { PlaceHolder } from './place-holder.interface.js';

/** Holders of places, the longest idle first. */
export class IdleOrder {
  /** There is none before the first holder: there may be as many orders as addresses. */
  #holders: Set<PlaceHolder> | undefined;

  get size(): number {
    return this.#holders?.size ?? 0;
  }

  add(holder: PlaceHolder): void {
    this.#holders ??= new Set();
    this.#holders.add(holder);
  }

  /** Takes a holder out, and tells whether it was there. */
  remove(holder: PlaceHolder): boolean {
    return this.#holders?.delete(holder) === true;
  }

  /** Puts a holder that is used behind all others. */
  renew(holder: PlaceHolder): void {
    if (this.remove(holder)) this.add(holder);
  }

  /** Gives those that may be given up, the longest idle first. */
  *select(mayGo: (holder: PlaceHolder) => boolean): Generator<PlaceHolder, undefined> {
    for (const holder of this.#holders ?? []) if (mayGo(holder)) yield holder;
  }

  /** Finds the longest idle that may be given up. */
  find(mayGo: (holder: PlaceHolder) => boolean): PlaceHolder | undefined {
    return this.select(mayGo).next().value;
  }
}
