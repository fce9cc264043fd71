import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import { formatEndedKey, MemberLiveness } from './member-liveness.js';
import { type ClusterBus, ClusterBusError, type ClusterTimeouts, type Query } from './cluster-bus.js';

/** Milliseconds for which the regular end of a process is remembered. */
const ENDED_MS = 24 * 60 * 60_000;

/** Most processes have answered by then. */
const RETRY_AFTER_MS = 5000;

/** Questions of one caller that wait for processes at once. */
const MOST_OF_A_CALLER = 200;

/** The process to ask, and the caller of the question. */
export interface OwnerRequest {
  /** The name of the process, which anybody may have invented. */
  readonly member: string;
  /** For how long to wait for an engine that is out of reach, in milliseconds. */
  readonly patienceMs: number;
  /** Whose question it is: no caller has all that may wait. @default the process's own */
  readonly caller?: string;
}

/** Asks processes for what they alone have, as long as they may still be there. */
export class Owners implements BeforeApplicationShutdown {
  readonly #absences: MemberLiveness;
  /** How many questions of each caller wait. */
  readonly #waiting = new Map<string, number>();

  constructor(
    private readonly bus: ClusterBus,
    private readonly waits: ClusterTimeouts,
  ) {
    this.#absences = new MemberLiveness(bus, waits);
  }

  /** Announces the end of this process, so that others do not wait for it. */
  async beforeApplicationShutdown(): Promise<void> {
    const { member, shared } = this.bus;
    const change = { key: formatEndedKey(member), set: { ended: '1' }, expires: Date.now() + ENDED_MS };
    await shared?.change(change).catch(() => undefined);
  }

  /**
   * Asks a process until it answers, is known to be gone, or the time is over. A name that no process ever had costs nothing.
   *
   * @returns nothing if the process is gone, or never was
   * @throws {ClusterBusError} if it is not known whether the process lives, or it failed
   * @throws {RateLimitedError} if too much of the caller waits
   */
  async ask<Body extends object, Reply extends object>(
    query: Query<Body, Reply>,
    body: Body,
    question: OwnerRequest,
  ): Promise<Reply | undefined> {
    const { member, caller } = question;
    if (!this.bus.isMember(member) || this.#absences.isGone(member)) return undefined;
    if (caller === undefined) return this.#ask(query, body, question);
    this.#enter(caller);
    try {
      return await this.#ask(query, body, question);
    } finally {
      this.#leave(caller);
    }
  }

  async #ask<Body extends object, Reply extends object>(
    query: Query<Body, Reply>,
    body: Body,
    { member, patienceMs }: OwnerRequest,
  ): Promise<Reply | undefined> {
    const begin = performance.now();
    for (;;) {
      try {
        const reply = await this.bus.request(query, body, member);
        this.#absences.forget(member);
        return reply;
      } catch (error) {
        if (!(error instanceof ClusterBusError) || error.reason === 'failed') throw error;
        if (await this.#isGone(member)) return undefined;
        if (performance.now() - begin >= this.#limitPatience(error, patienceMs)) throw error;
      }
      await delay(this.waits.retryMs);
    }
  }

  /** Waits until it is certain whether a process is gone that is not counted. */
  async #isGone(member: string): Promise<boolean> {
    for (;;) {
      const presence = await this.#absences.check(member);
      if (presence !== 'missing') return presence === 'gone';
      await delay(this.waits.retryMs);
    }
  }

  /**
   * A process that takes questions and does not answer may have been killed, which shows late, or may be stalled. A
   * process that cannot be asked may soon be back.
   */
  #limitPatience({ reason }: ClusterBusError, patienceMs: number): number {
    const { isConnected, shared } = this.bus;
    if (!isConnected) return patienceMs;
    return reason === 'timeout' ? (shared?.countedMs ?? 0) : this.waits.unheardMs;
  }

  #enter(caller: string): void {
    const count = this.#waiting.get(caller) ?? 0;
    if (count >= MOST_OF_A_CALLER) {
      const text = 'Too many of your messages wait for other processes: try again later';
      throw new RateLimitedError(text, { retryAfterMs: RETRY_AFTER_MS });
    }
    this.#waiting.set(caller, count + 1);
  }

  #leave(caller: string): void {
    const count = this.#waiting.get(caller) ?? 0;
    if (count > 1) this.#waiting.set(caller, count - 1);
    else this.#waiting.delete(caller);
  }
}
