import { setTimeout as delay } from 'node:timers/promises';
import { CredentialStoreError } from './credential-store.error.js';
import type { ExclusiveOptions } from './credential-store.interface.js';

/** How long one waits for others where nothing else is said. */
export const DEFAULT_WAIT_MS = 30_000;

/** Lets those of one process who want the same thing have it one after another, in the order in which they came. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Does work when all who came before are done.
   *
   * @throws {CredentialStoreError} where they are not done in time
   */
  async take<Result>(
    name: string,
    work: () => Promise<Result>,
    options: ExclusiveOptions = {},
  ): Promise<Result> {
    const before = this.#last.get(name);
    let end = (): void => undefined;
    const own = new Promise<void>((resolve) => (end = resolve));
    const last = before === undefined ? own : before.then(() => own);
    this.#last.set(name, last);
    try {
      if (before !== undefined) await waitFor(before, options);
      return await work();
    } finally {
      end();
      if (this.#last.get(name) === last) this.#last.delete(name);
    }
  }
}

async function waitFor(before: Promise<void>, options: ExclusiveOptions): Promise<void> {
  const { waitMs = DEFAULT_WAIT_MS, signal } = options;
  const over = new AbortController();
  const ends = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  const late = delay(waitMs, true, { signal: ends }).catch(() => true);
  const isLate = await Promise.race([before.then(() => false), late]);
  over.abort();
  signal?.throwIfAborted();
  if (isLate) throw CredentialStoreError.busy(waitMs);
}
