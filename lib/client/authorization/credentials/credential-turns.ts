import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from '../../../core/waiting/turns.js';
import { CredentialStoreError } from './credential-store.error.js';
import type { ExclusiveOptions } from './credential-store.interface.js';

/** How long one waits for others if nothing else is said. */
export const DEFAULT_WAIT_MS = 30_000;

/** Gives the same credentials to one caller of a process after another, with a limit for the wait. */
export class CredentialTurns {
  readonly #turns = new Turns();

  /**
   * Does work when all who came before are done.
   *
   * @throws {CredentialStoreError} if they are not done in time
   */
  take<Result>(name: string, work: () => Promise<Result>, options: ExclusiveOptions = {}): Promise<Result> {
    return this.#turns.take(name, work, (before) => waitFor(before, options));
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
