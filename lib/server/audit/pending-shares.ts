import type { AuditOwner } from './audit-owner.js';

/** How much there may be. */
export interface PendingBounds {
  readonly events: number;
  readonly bytes: number;
}

/** How much there is. */
interface Tally {
  events: number;
  bytes: number;
}

/** Strangers have so much of it together at most. */
const STRANGERS_SHARE = 0.5;

/**
 * Shares a receiver's pending events among callers. Nobody has more than the free part, so that there is always room for
 * somebody else. All strangers together have half at most.
 */
export class PendingShares {
  readonly #bounds: PendingBounds;
  readonly #boundsOfStrangers: PendingBounds;
  readonly #all: Tally = { events: 0, bytes: 0 };
  readonly #strangers: Tally = { events: 0, bytes: 0 };
  readonly #known = new Map<string, Tally>();
  readonly #byAddress = new Map<string, Tally>();

  constructor(bounds: PendingBounds) {
    this.#bounds = bounds;
    this.#boundsOfStrangers = {
      events: Math.ceil(bounds.events * STRANGERS_SHARE),
      bytes: Math.ceil(bounds.bytes * STRANGERS_SHARE),
    };
  }

  /** Whether there is nothing to share. */
  get isEmpty(): boolean {
    return this.#all.events === 0;
  }

  /** Tells whether an owner may have one event more. */
  hasRoom(owner: AuditOwner | undefined, bytes: number): boolean {
    // One alone may be of any size: it is there already.
    if (this.isEmpty) return true;
    const all = measureRoom(this.#all, this.#bounds);
    if (owner === undefined) return fits(NOTHING, bytes, all);
    const own = this.#find(owner) ?? NOTHING;
    if (!owner.isStranger) return fits(own, bytes, all);
    const isCommon = owner.name === undefined;
    const left = measureRoom(this.#strangers, this.#boundsOfStrangers);
    return fits(this.#strangers, bytes, all) && fits(isCommon ? NOTHING : own, bytes, left);
  }

  /** Counts an event of an owner, even without room. Returns a function that ends this. */
  take(owner: AuditOwner | undefined, bytes: number): () => void {
    this.#count(owner, { events: 1, bytes });
    return () => this.#count(owner, { events: -1, bytes: -bytes });
  }

  #count(owner: AuditOwner | undefined, change: Tally): void {
    add(this.#all, change);
    if (owner === undefined) return;
    if (owner.isStranger) add(this.#strangers, change);
    if (owner.isStranger && owner.name === undefined) return;
    const owners = this.#select(owner);
    const name = owner.name ?? LOCAL;
    const own = owners.get(name) ?? { events: 0, bytes: 0 };
    owners.set(name, own);
    add(own, change);
    if (own.events === 0) owners.delete(name);
  }

  #find(owner: AuditOwner): Tally | undefined {
    return this.#select(owner).get(owner.name ?? LOCAL);
  }

  #select({ isStranger }: AuditOwner): Map<string, Tally> {
    return isStranger ? this.#byAddress : this.#known;
  }
}

/** The name of an owner without a name. */
const LOCAL = '';

const NOTHING: Tally = Object.freeze({ events: 0, bytes: 0 });

function measureRoom(taken: Tally, bounds: PendingBounds): Tally {
  return { events: bounds.events - taken.events, bytes: bounds.bytes - taken.bytes };
}

function fits(own: Tally, bytes: number, left: Tally): boolean {
  return own.events + 1 <= left.events && own.bytes + bytes <= left.bytes;
}

function add(tally: Tally, { events, bytes }: Tally): void {
  tally.events += events;
  tally.bytes += bytes;
}
