import { Store } from './store.js';

/** Something that the server has told without being asked. */
export interface Notice {
  readonly id: number;
  readonly at: Date;
  readonly method: string;
  readonly params: unknown;
}

const MOST_NOTICES = 200;

/** What the server has told without being asked, the last first. */
export class Journal extends Store {
  #notices: readonly Notice[] = [];
  #lastId = 0;

  get notices(): readonly Notice[] {
    return this.#notices;
  }

  /** The id of the last notice: later ones have greater ones. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Adds a notice. */
  note(method: string, params: unknown): void {
    this.#lastId += 1;
    const notice = { id: this.#lastId, at: new Date(), method, params };
    this.#notices = [notice, ...this.#notices].slice(0, MOST_NOTICES);
    this.changed();
  }

  /** Forgets all of them. */
  clear(): void {
    this.#notices = [];
    this.changed();
  }
}
