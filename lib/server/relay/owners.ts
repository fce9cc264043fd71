import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Relay } from './relay.js';
import { RelayWaits } from './relay-waits.js';
import { RelayError } from './relay.error.js';
import type { Query } from './topic.js';

/** Milliseconds for which it is known of a process that it has ended by itself. */
const ENDED_MS = 24 * 60 * 60_000;

/** Processes that are remembered as gone. */
const MOST_GONE = 1000;

/** Asks processes for what they alone have, as long as they may still be there. */
@Injectable()
export class Owners implements BeforeApplicationShutdown {
  readonly #gone = new Set<string>();

  constructor(
    private readonly relay: Relay,
    private readonly waits: RelayWaits,
  ) {}

  /** Says that this process ends, so that nobody waits for it who does not reach it any more. */
  async beforeApplicationShutdown(): Promise<void> {
    const { member, shared } = this.relay;
    const change = { key: formatEndedKey(member), set: { ended: '1' }, expires: Date.now() + ENDED_MS };
    await shared?.change(change).catch(() => undefined);
  }

  /**
   * Asks a process until it answers, is known to be gone, or the time is over.
   *
   * @param patienceMs for how long to wait for an engine that is out of reach
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
        const isMissed = await this.#isMissing(member);
        missedSince = isMissed ? (missedSince ?? performance.now()) : undefined;
        if (missedSince !== undefined && (await this.#isGone(member, missedSince))) return undefined;
        const isOver = performance.now() - begin >= this.#limitPatience(error, patienceMs);
        if (isOver && missedSince === undefined) throw error;
      }
      await delay(this.waits.retryMs);
    }
  }

  /** Whoever takes questions and does not answer is asked once more at most; whoever cannot be asked may be about to come back. */
  #limitPatience({ reason }: RelayError, patienceMs: number): number {
    if (!this.relay.isConnected) return patienceMs;
    return reason === 'timeout' ? this.waits.hungMs : this.waits.unheardMs;
  }

  async #isMissing(member: string): Promise<boolean> {
    const members = await this.relay.shared?.members().catch(() => undefined);
    return members !== undefined && !members.includes(member);
  }

  /** No process comes back under the name that it had: whoever is gone once is gone for good. */
  async #isGone(member: string, missedSince: number): Promise<boolean> {
    if (this.#gone.has(member)) return true;
    const isCertain =
      performance.now() - missedSince >= this.waits.certainMs || (await this.#hasEnded(member));
    if (isCertain) this.#remember(member);
    return isCertain;
  }

  async #hasEnded(member: string): Promise<boolean> {
    const record = await this.relay.shared?.find(formatEndedKey(member)).catch(() => undefined);
    return record !== undefined;
  }

  #remember(member: string): void {
    this.#gone.add(member);
    const [oldest] = this.#gone;
    if (this.#gone.size > MOST_GONE && oldest !== undefined) this.#gone.delete(oldest);
  }
}

function formatEndedKey(member: string): string {
  return `ended:${member}`;
}
