import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import { formatEndedKey, MemberLiveness } from './member-liveness.js';
import { type ClusterBus, ClusterBusError, type ClusterTimeouts, type Query } from './cluster-bus.js';

/** How long the shutdown of a process is remembered, in milliseconds. */
const ENDED_MS = 24 * 60 * 60_000;

/** Most processes respond within this time. */
const RETRY_AFTER_MS = 5000;

/** The maximum number of requests per caller that may wait for processes. */
const MOST_OF_A_CALLER = 200;

/** The process that receives a request, and the caller that sent it. */
export interface OwnerRequest {
  /** The process's name. It is untrusted. */
  readonly member: string;
  /** How long to wait for an unreachable backend, in milliseconds. */
  readonly patienceMs: number;
  /** The caller, because the number of waiting requests per caller is limited. @default the process itself */
  readonly caller?: string;
}

/** Sends requests to processes that own a session, a stream or a task, as long as they may still run. */
export class Owners implements BeforeApplicationShutdown {
  readonly #absences: MemberLiveness;
  /** The number of waiting requests per caller. */
  readonly #waiting = new Map<string, number>();

  constructor(
    private readonly bus: ClusterBus,
    private readonly waits: ClusterTimeouts,
  ) {
    this.#absences = new MemberLiveness(bus, waits);
  }

  /** Announces this process's shutdown, so that others do not wait for it. */
  async beforeApplicationShutdown(): Promise<void> {
    const { member, shared } = this.bus;
    const change = { key: formatEndedKey(member), set: { ended: '1' }, expires: Date.now() + ENDED_MS };
    await shared?.change(change).catch(() => undefined);
  }

  /**
   * Sends a request to a process, and retries until the process responds, is known to be gone, or the time is up. For
   * a name that was never assigned, no request is sent.
   *
   * @returns `undefined` if the process is gone or never existed
   * @throws {ClusterBusError} if it is unknown whether the process runs, or if it failed
   * @throws {RateLimitedError} if too many of the caller's requests are waiting
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

  /** Waits until it is certain whether a missing process is gone. */
  async #isGone(member: string): Promise<boolean> {
    for (;;) {
      const presence = await this.#absences.check(member);
      if (presence !== 'missing') return presence === 'gone';
      await delay(this.waits.retryMs);
    }
  }

  /**
   * Limits how long to retry. A process that receives requests and does not respond may have been killed, which is
   * detected late, or may be stalled. A process that cannot be reached may return soon.
   */
  #limitPatience({ reason }: ClusterBusError, patienceMs: number): number {
    const { isConnected, shared } = this.bus;
    if (!isConnected) return patienceMs;
    return reason === 'timeout' ? (shared?.countedMs ?? 0) : this.waits.unresponsiveMs;
  }

  #enter(caller: string): void {
    const count = this.#waiting.get(caller) ?? 0;
    if (count >= MOST_OF_A_CALLER) {
      const text = 'Too many of your messages are waiting for other processes: try again later';
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
