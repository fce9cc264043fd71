import type { OpenObject } from '../../../../core/protocol/capabilities.js';

/** An event as it is kept. */
export interface KeptEvent {
  /** Counts from 1 for each source, and has no holes. */
  readonly number: number;
  /** When it came, in milliseconds as `performance.now()` counts. */
  readonly at: number;
  readonly eventId: string;
  readonly data: OpenObject;
  /** The length of its payload as JSON. */
  readonly characters: number;
}

/** How much is kept. */
export interface ReplayBounds {
  readonly size: number;
  readonly characters: number;
}

/** The newest events of one source, in order: the oldest go where there would be too many. */
export class ReplayLog {
  readonly #events = new Map<number, KeptEvent>();
  #first = 1;
  #last = 0;
  #characters = 0;

  constructor(private readonly bounds: ReplayBounds) {}

  /** The number of the newest event, kept or not; 0 before there is any. */
  get last(): number {
    return this.#last;
  }

  /** The number before that of the oldest event that is kept. */
  get beforeFirst(): number {
    return this.#first - 1;
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events.size;
  }

  append(event: Omit<KeptEvent, 'number'>): KeptEvent {
    this.#last += 1;
    const kept = { ...event, number: this.#last };
    this.#events.set(kept.number, kept);
    this.#characters += kept.characters;
    // The newest stays, however large it is: who listens now has not had it yet.
    while (this.#isFull && this.size > 1) this.#dropFirst();
    return kept;
  }

  /** Finds the oldest event behind a number that is still kept. */
  findAfter(number: number): KeptEvent | undefined {
    return this.#events.get(Math.max(number + 1, this.#first));
  }

  /** Gives the number before that of the oldest event that came at a time or later. */
  findBefore(at: number): number {
    for (const event of this.#events.values()) if (event.at >= at) return event.number - 1;
    return this.#last;
  }

  /** Forgets what is kept; numbers go on. */
  clear(): void {
    this.#events.clear();
    this.#characters = 0;
    this.#first = this.#last + 1;
  }

  get #isFull(): boolean {
    return this.size > this.bounds.size || this.#characters > this.bounds.characters;
  }

  #dropFirst(): void {
    this.#characters -= this.#events.get(this.#first)?.characters ?? 0;
    this.#events.delete(this.#first);
    this.#first += 1;
  }
}
