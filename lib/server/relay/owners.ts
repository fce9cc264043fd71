import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Relay } from './relay.js';
import { RelayError } from './relay.error.js';
import type { Query } from './topic.js';

/** Milliseconds between two tries to reach a process. */
const RETRY_MS = 250;

/**
 * For how long a process must be neither reached nor counted before it is taken for gone: an engine that was emptied, or changed its
 * place, knows living processes only once they have come back to it.
 */
const CERTAIN_MS = 2000;

/** Processes that are remembered as gone. */
const MOST_GONE = 1000;

/** Asks processes for what they alone have, as long as they may still be there. */
@Injectable()
export class Owners {
  readonly #gone = new Set<string>();

  constructor(private readonly relay: Relay) {}

  /**
   * Asks a process until it answers, is known to be gone, or the time is over.
   *
   * @param patienceMs after which no further try begins
   * @returns nothing if the process is gone
   * @throws {RelayError} if it is not known whether the process lives, or it failed
   */
  async ask<Body extends object, Reply extends object>(
    query: Query<Body, Reply>,
    body: Body,
    { member, patienceMs }: { readonly member: string; readonly patienceMs: number },
  ): Promise<Reply | undefined> {
    const begin = performance.now();
    let missedSince: number | undefined;
    for (;;) {
      try {
        return await this.relay.ask(query, body, member);
      } catch (error) {
        if (!(error instanceof RelayError) || error.reason === 'failed') throw error;
        const isMissed = error.reason === 'unreachable' && (await this.#isMissing(member));
        missedSince = isMissed ? (missedSince ?? performance.now()) : undefined;
        if (missedSince !== undefined && this.#isCertain(member, missedSince)) return undefined;
        const isOver = performance.now() - begin >= patienceMs;
        if (isOver && missedSince === undefined) throw error;
      }
      await delay(RETRY_MS);
    }
  }

  async #isMissing(member: string): Promise<boolean> {
    const members = await this.relay.shared?.members().catch(() => undefined);
    return members !== undefined && !members.includes(member);
  }

  /** No process comes back under the name that it had: whoever is gone once is gone for good. */
  #isCertain(member: string, missedSince: number): boolean {
    if (!this.#gone.has(member) && performance.now() - missedSince < CERTAIN_MS) return false;
    this.#gone.add(member);
    const [oldest] = this.#gone;
    if (this.#gone.size > MOST_GONE && oldest !== undefined) this.#gone.delete(oldest);
    return true;
  }
}
