import { setTimeout as delay } from 'node:timers/promises';
import { BehaviorSubject, type Observable } from 'rxjs';
import type { Client } from '@modelcontextprotocol/client';
import { ResponseTooLargeError } from '../../../core/network/response-too-large.error.js';
import { computeDelay } from '../../../core/waiting/back-off.js';
import { orAborted } from '../../../core/waiting/or-aborted.js';
import { McpClientClosedError } from '../errors/client-closed.error.js';
import { McpConnectionLostError } from '../errors/connection-lost.error.js';
import type { ClientSettings } from '../options/client-settings.js';
import { findRest } from './busy-server.js';
import type { McpClientState } from './client-state.js';
import type { Connection } from './connection.js';
import { createCountedClient } from './counted-client.js';
import { createUnavailable, explainRefusal } from './explain-refusal.js';
import { isTransient } from './is-transient.js';
import { Leases } from './leases.js';
import type { ConnectedWork, HeldLink, WorkOptions } from './link-work.interface.js';
import { isAnswerLost, isUndelivered } from './lost-answer.js';
import { waitOutLimits } from './wait-out-limits.js';

/** A server that starts may be gone between two attempts. */
const MOST_ATTEMPTS = 3;

/** Makes one attempt to connect. */
export type OpenConnection = (signal: AbortSignal) => Promise<Connection>;

/** The link of a client to its server, whatever number of connections that takes. */
export class ClientLink {
  readonly #state = new BehaviorSubject<McpClientState>('idle');
  readonly #connection = new BehaviorSubject<Connection | undefined>(undefined);
  readonly #end = new AbortController();
  readonly #leases = new Leases();
  /** The official client of a connection, as its callers see it. */
  readonly #officials = new WeakMap<Connection, Client>();
  readonly #held: HeldLink = {
    use: (work, options) => this.#leases.hold(() => this.#use(work, options)),
    onClosed: (listener) => this.#onClosed(listener),
  };
  #attempts: Promise<Connection> | undefined;
  #lastFault: unknown;

  constructor(
    private readonly settings: ClientSettings,
    private readonly open: OpenConnection,
  ) {}

  /** How the link is, now and whenever that changes; completes when it is closed. */
  get state$(): Observable<McpClientState> {
    return this.#state.asObservable();
  }

  get state(): McpClientState {
    return this.#state.value;
  }

  /** The connection, now and whenever there is another or none; completes when the link is closed. */
  get connection$(): Observable<Connection | undefined> {
    return this.#connection.asObservable();
  }

  /**
   * Works over the connection, and opens one if there is none. If the connection is lost under it, the work is done again
   * over the next one, once, if it changes nothing or surely did not come to the server.
   *
   * @throws {McpConnectionLostError} if it is not known whether the server has done it
   * @throws {McpClientUnauthorizedError} if the server wants a token, or another one
   * @throws {McpClientLimitedError} if the server limits requests for longer than the work may wait
   */
  use<Result>(work: ConnectedWork<Result>, options?: WorkOptions): Promise<Result> {
    return this.hold((held) => held.use(work, options));
  }

  /**
   * Does work that uses the link more than once: if the link is retired meanwhile, the rest of it still goes through.
   *
   * @throws {McpClientClosedError} once the link is retired or closed
   */
  async hold<Result>(work: (held: HeldLink) => Promise<Result>): Promise<Result> {
    if (this.#leases.areEnding) throw new McpClientClosedError(this.settings.name);
    return this.#leases.hold(() => work(this.#held));
  }

  /**
   * Returns the connection, and waits for it if there is none.
   *
   * @throws {McpClientClosedError} once the link is retired or closed
   * @throws {McpClientUnavailableError} if the wait is over, or all attempts are
   * @throws {McpClientUnauthorizedError} if the server wants a token, or another one
   */
  acquire(signal?: AbortSignal): Promise<Connection> {
    return this.hold(() => this.#acquire(signal));
  }

  /**
   * Returns the official client, as {@link acquire} gives the connection. The promises of its methods count as work too, so
   * a retired link or a lost connection is not closed before they settle.
   */
  async official(): Promise<Client> {
    const connection = await this.acquire();
    const present = this.#officials.get(connection);
    if (present !== undefined) return present;
    const { client } = connection;
    const official = createCountedClient(client, (work) => this.#leases.hold(() => connection.use(work)));
    this.#officials.set(connection, official);
    return official;
  }

  /** Closes the link for good. It never rejects. */
  async close(): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort(new McpClientClosedError(this.settings.name));
    const connection = this.#connection.value;
    this.#forget();
    this.#state.next('closed');
    this.#state.complete();
    this.#connection.complete();
    await connection?.close();
  }

  /** Takes no new work; resolves once what was begun is over. */
  retire(): Promise<void> {
    return this.#leases.end();
  }

  #onClosed(listener: (reason: McpClientClosedError) => void): () => void {
    const { name } = this.settings;
    const waiting = this.#state.subscribe({ complete: () => listener(new McpClientClosedError(name)) });
    return () => waiting.unsubscribe();
  }

  async #use<Result>(work: ConnectedWork<Result>, options: WorkOptions = {}): Promise<Result> {
    const { name: client, limitWaitMs } = this.settings;
    const pause = (delayMs: number) => orAborted(this.#pause(delayMs), options.signal);
    const longestMs = options.limitWaitMs ?? limitWaitMs;
    try {
      return await waitOutLimits(() => this.#work(work, options), { client, longestMs, pause });
    } catch (error) {
      throw explainRefusal(error, this.settings);
    }
  }

  async #work<Result>(
    work: ConnectedWork<Result>,
    { signal, isRepeatable = false }: WorkOptions,
  ): Promise<Result> {
    let mayRepeat = isRepeatable;
    for (let attempt = 1; ; attempt += 1) {
      const connection = await this.#acquire(signal);
      try {
        return await connection.use((client) => work(client, connection));
      } catch (error) {
        // Who gave up learns why, as it was said.
        signal?.throwIfAborted();
        if (connection.watch.fault instanceof ResponseTooLargeError) throw connection.watch.fault;
        const isHarmless = isUndelivered(error, connection);
        if (!isAnswerLost(error, connection) || (isHarmless && attempt >= MOST_ATTEMPTS)) throw error;
        if (!isHarmless && !mayRepeat) throw new McpConnectionLostError(this.settings.name, error);
        mayRepeat &&= isHarmless;
      }
    }
  }

  async #acquire(signal?: AbortSignal): Promise<Connection> {
    signal?.throwIfAborted();
    if (this.#end.signal.aborted) throw new McpClientClosedError(this.settings.name);
    const connection = this.#connection.value;
    if (connection !== undefined) return connection;
    this.#attempts ??= this.#connect('connecting');
    return this.#await(this.#attempts, signal);
  }

  /** Others wait for the same attempts, so that the time of one that waits does not end them. */
  async #await(attempts: Promise<Connection>, signal?: AbortSignal): Promise<Connection> {
    const { waitMs } = this.settings.reconnect;
    const stop = new AbortController();
    const late = delay(waitMs, undefined, { signal: stop.signal }).then(() => {
      throw createUnavailable(this.settings, waitMs, this.#lastFault);
    });
    try {
      return await orAborted(Promise.race([attempts, late]), signal);
    } finally {
      stop.abort();
      late.catch(() => undefined);
    }
  }

  #connect(state: 'connecting' | 'reconnecting'): Promise<Connection> {
    this.#state.next(state);
    const attempts = this.#tryPatiently();
    // Who waits learns of a failure; if nobody does, the next use tries again.
    attempts.catch(() => undefined);
    return attempts;
  }

  async #tryPatiently(): Promise<Connection> {
    const { reconnect } = this.settings;
    const begunAt = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      try {
        return this.#adopt(await this.open(this.#end.signal));
      } catch (error) {
        this.#end.signal.throwIfAborted();
        this.#lastFault = error;
        if (!isTransient(error) || attempt + 1 >= reconnect.maximumAttempts)
          throw this.#giveUp(error, performance.now() - begunAt);
      }
      await this.#pause(computeDelay(reconnect, attempt, { retryAfterMs: findRest(this.#lastFault) }));
    }
  }

  #giveUp(error: unknown, triedMs: number): unknown {
    this.#attempts = undefined;
    this.#state.next('idle');
    if (!isTransient(error)) return explainRefusal(error, this.settings);
    return createUnavailable(this.settings, Math.round(triedMs), error);
  }

  async #pause(delayMs: number): Promise<void> {
    const { signal } = this.#end;
    await delay(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  #adopt(connection: Connection): Connection {
    const { fault } = connection.watch;
    if (fault !== undefined || this.#end.signal.aborted) {
      void connection.close();
      throw fault;
    }
    this.#attempts = undefined;
    this.#state.next('connected');
    this.#connection.next(connection);
    connection.watch.onLost(() => this.#lose(connection));
    return connection;
  }

  #lose(connection: Connection): void {
    if (this.#connection.value !== connection) return;
    this.#lastFault = connection.watch.fault;
    this.#forget();
    connection.retire();
    if (this.settings.reconnect.maximumAttempts > 1) this.#attempts ??= this.#connect('reconnecting');
    else this.#state.next('idle');
  }

  #forget(): void {
    if (this.#connection.value !== undefined) this.#connection.next(undefined);
  }
}
