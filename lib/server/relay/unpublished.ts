import type { ClusterRecordChange } from '../settings/cluster/cluster.interface.js';

/** Something that is to be published. */
export interface Publication {
  readonly topic: string;
  readonly body: object;
  /** Counts what this process publishes, from 1. */
  readonly count: number;
  readonly change: ClusterRecordChange | undefined;
  /** Characters that it takes in the log. */
  readonly characters: number;
}

const MOST = 1000;
const MOST_CHARACTERS = 1_048_576;

/** Keeps what could not be published, oldest first. What is too much makes room at the front, and is lost for the other processes. */
export class Unpublished {
  #waiting: Publication[] = [];
  #characters = 0;
  #dropped = 0;

  get size(): number {
    return this.#waiting.length;
  }

  /** How many were lost. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The oldest, which stay until they are {@link remove removed}. */
  first(count?: number): readonly Publication[] {
    return this.#waiting.slice(0, count);
  }

  /** Tells whether one waits that the process published as that one, or before it. */
  has(count: number): boolean {
    return (this.#waiting[0]?.count ?? Infinity) <= count;
  }

  add(publication: Publication): void {
    // Those that were published before it may have failed later.
    const before = this.#waiting.findLastIndex(({ count }) => count < publication.count);
    this.#waiting.splice(before + 1, 0, publication);
    this.#characters += publication.characters;
    while (this.#waiting.length > MOST || this.#characters > MOST_CHARACTERS) {
      this.#characters -= this.#waiting.shift()?.characters ?? 0;
      this.#dropped += 1;
    }
  }

  /** Removes the one that the process published as that one, if it waits. */
  remove(count: number): void {
    const index = this.#waiting.findIndex((publication) => publication.count === count);
    const [removed] = index === -1 ? [] : this.#waiting.splice(index, 1);
    this.#characters -= removed?.characters ?? 0;
  }
}
