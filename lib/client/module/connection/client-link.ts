// One connection's lifecycle and its private functions are kept together, because its states must be read together.

import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { BehaviorSubject, filter, firstValueFrom, type Observable } from 'rxjs';
import { ResponseTooLargeError } from '../../../core/network/limited-fetch.js';
import { findServerLimit } from '../../../core/protocol/rate-limited.error.js';
import { findRequiredElicitations } from '../../../core/protocol/input-requests.js';
import { computeDelay, RetryBudget } from '../../../core/async/retry.js';
import { untilAborted } from '../../../core/async/promises.js';
import {
  findRequiredCapabilities,
  McpCapabilityMissingError,
  McpClientClosedError,
  McpClientCommandError,
  McpClientError,
  McpClientLimitedError,
  McpClientUnauthorizedError,
  McpClientUnavailableError,
  McpConnectionLostError,
  McpResponseTooLargeError,
  McpUrlElicitationRequiredError,
  SessionEndedError,
} from '../errors.js';
import type { ClientSettings } from '../options/client-settings.js';
import {
  findRetryAfter,
  isResponseCut,
  isLinkError,
  isTransient,
  isUnknownSession,
  isUnreached,
  listCauses,
  type ErrorFacts,
} from './transient-errors.js';
import type { ConnectedWork, Connection, LinkLease, McpClientState, WorkOptions } from './connection.js';

/** Counts pending work, and resolves when all of it has settled. */
class Leases {
  readonly #count = new BehaviorSubject(0);
  #areEnding = false;

  /** Whether new work is rejected. */
  get areEnding(): boolean {
    return this.#areEnding;
  }

  /** Runs work, which counts until it has settled. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#count.next(this.#count.value + 1);
    try {
      return await work();
    } finally {
      this.#count.next(this.#count.value - 1);
    }
  }

  /** Resolves once all work has settled, including work that it starts. */
  async end(): Promise<void> {
    this.#areEnding = true;
    await firstValueFrom(this.#count.pipe(filter((count) => count === 0)));
  }
}

/**
 * The official client's error codes for a status other than 2xx, and token sources' error codes for a refused token.
 */
const HTTP_CODES = new Set([
  'CLIENT_HTTP_AUTHENTICATION',
  'CLIENT_HTTP_NOT_IMPLEMENTED',
  'retry_exhausted',
  'login_ineffective',
]);

/**
 * Converts a failure into one of this module's errors: for a server that requires a token, requires a URL elicitation
 * or sends too much, and for a process that cannot be started. Other errors are rethrown unchanged.
 */
function explainRefusal(error: unknown, { name, server }: ClientSettings): unknown {
  if (error instanceof McpClientError) return error;
  const { code, syscall } = (error ?? {}) as ErrorFacts & { readonly syscall?: unknown };
  if ('command' in server && String(syscall).startsWith('spawn')) {
    const { command, cwd } = server;
    const failed = { command, code: String(code), hasFolder: cwd !== undefined };
    return new McpClientCommandError(name, failed, error);
  }
  const tooLarge = ResponseTooLargeError.find(error);
  if (tooLarge !== undefined) return new McpResponseTooLargeError(name, tooLarge);
  const elicitations = findRequiredElicitations(error);
  if (elicitations !== undefined) return new McpUrlElicitationRequiredError(name, elicitations, error);
  const capabilities = findRequiredCapabilities(error);
  if (capabilities !== undefined) return new McpCapabilityMissingError(name, capabilities, error);
  // The official client may wrap the error.
  const refusal = listCauses(error).find(isUnauthorized);
  if (refusal === undefined) return error;
  return new McpClientUnauthorizedError(name, sendsToken(server), refusal);
}

/** Creates the error for a call that waited too long for a connection. */
function createUnavailable(
  { name, server }: ClientSettings,
  waitedMs: number,
  cause: unknown,
): McpClientUnavailableError {
  const place = 'url' in server ? server.url : server.command;
  return new McpClientUnavailableError(name, { server: place, waitedMs, cause });
}

function isUnauthorized({ code, status }: ErrorFacts): boolean {
  return status === 401 && HTTP_CODES.has(String(code));
}

function sendsToken(server: ClientSettings['server']): boolean {
  if (!('url' in server)) return false;
  const headers = Object.keys(server.headers ?? {});
  return server.auth !== undefined || headers.some((header) => header.toLowerCase() === 'authorization');
}

/** A server that restarts may disappear again between two attempts. */
const MOST_ATTEMPTS = 3;

/** Attempts to connect once. */
export type OpenConnection = (signal: AbortSignal) => Promise<Connection>;

/** A client's link to its server, across reconnections. */
export class ClientLink {
  readonly #state = new BehaviorSubject<McpClientState>('idle');
  readonly #connection = new BehaviorSubject<Connection | undefined>(undefined);
  readonly #end = new AbortController();
  readonly #leases = new Leases();
  /** A connection's official client, as its callers see it. */
  readonly #officials = new WeakMap<Connection, Client>();
  readonly #lease: LinkLease = {
    use: (work, options) => this.#leases.hold(() => this.#use(work, options)),
    onClosed: (listener) => this.#onClosed(listener),
  };
  #attempts: Promise<Connection> | undefined;
  #lastError: unknown;

  constructor(
    private readonly settings: ClientSettings,
    private readonly open: OpenConnection,
  ) {
    // Any number of calls may wait for a server that limits requests.
    setMaxListeners(0, this.#end.signal);
  }

  /** The link's state, now and at each change; completes when it is closed. */
  get state$(): Observable<McpClientState> {
    return this.#state.asObservable();
  }

  get state(): McpClientState {
    return this.#state.value;
  }

  /** The connection, now and at each change; `undefined` while there is none. Completes when the link is closed. */
  get connection$(): Observable<Connection | undefined> {
    return this.#connection.asObservable();
  }

  /**
   * Runs work over the connection, and opens one if there is none. If the connection is lost, the work is retried
   * once over the next one, provided that it is repeatable or definitely did not reach the server.
   *
   * @throws {McpConnectionLostError} if it is unknown whether the server has run it
   * @throws {McpClientUnauthorizedError} if the server requires a token, or a different one
   * @throws {McpClientLimitedError} if the server limits requests for longer than the work may wait
   */
  use<Result>(work: ConnectedWork<Result>, options?: WorkOptions): Promise<Result> {
    return this.lease((lease) => lease.use(work, options));
  }

  /**
   * Runs work that uses the link more than once: if the link is retired, work in progress can still use it.
   *
   * @throws {McpClientClosedError} once the link is retired or closed
   */
  async lease<Result>(work: (lease: LinkLease) => Promise<Result>): Promise<Result> {
    if (this.#leases.areEnding) throw new McpClientClosedError(this.settings.name);
    return this.#leases.hold(() => work(this.#lease));
  }

  /**
   * Returns the connection, or waits until there is one.
   *
   * @throws {McpClientClosedError} once the link is retired or closed
   * @throws {McpClientUnavailableError} if the wait has timed out or all attempts have failed
   * @throws {McpClientUnauthorizedError} if the server requires a token, or a different one
   */
  acquire(signal?: AbortSignal): Promise<Connection> {
    return this.lease(() => this.#acquire(signal));
  }

  /**
   * Returns the connection's official client. Its methods' promises count as work, so a retired link or a lost
   * connection is closed only once they settle.
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

  /** Rejects new work, and resolves once pending work has settled. */
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
    const pause = (delayMs: number) => untilAborted(this.#pause(delayMs), options.signal);
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
        // An aborted call gets its signal's reason.
        signal?.throwIfAborted();
        if (connection.watch.problem instanceof ResponseTooLargeError) throw connection.watch.problem;
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

  /** A timeout ends only this wait, because other callers may wait for the same attempts. */
  async #await(attempts: Promise<Connection>, signal?: AbortSignal): Promise<Connection> {
    const { waitMs } = this.settings.reconnect;
    const stop = new AbortController();
    const late = delay(waitMs, undefined, { signal: stop.signal }).then(() => {
      throw createUnavailable(this.settings, waitMs, this.#lastError);
    });
    try {
      return await untilAborted(Promise.race([attempts, late]), signal);
    } finally {
      stop.abort();
      late.catch(() => undefined);
    }
  }

  #connect(state: 'connecting' | 'reconnecting'): Promise<Connection> {
    this.#state.next(state);
    const attempts = this.#tryPatiently();
    // Waiting callers receive the error. If there are none, the next use tries again.
    attempts.catch(() => undefined);
    return attempts;
  }

  async #tryPatiently(): Promise<Connection> {
    const { reconnect } = this.settings;
    const begunAt = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      try {
        return this.#accept(await this.open(this.#end.signal));
      } catch (error) {
        this.#end.signal.throwIfAborted();
        this.#lastError = error;
        if (!isTransient(error) || attempt + 1 >= reconnect.maxAttempts)
          throw this.#stopConnecting(error, performance.now() - begunAt);
      }
      await this.#pause(computeDelay(reconnect, attempt, { retryAfterMs: findRetryAfter(this.#lastError) }));
    }
  }

  #stopConnecting(error: unknown, triedMs: number): unknown {
    this.#attempts = undefined;
    this.#state.next('idle');
    if (!isTransient(error)) return explainRefusal(error, this.settings);
    return createUnavailable(this.settings, Math.round(triedMs), error);
  }

  async #pause(delayMs: number): Promise<void> {
    const { signal } = this.#end;
    await delay(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  #accept(connection: Connection): Connection {
    const { problem } = connection.watch;
    if (problem !== undefined || this.#end.signal.aborted) {
      void connection.close();
      throw problem;
    }
    this.#attempts = undefined;
    this.#state.next('connected');
    this.#connection.next(connection);
    connection.watch.onLost(() => this.#lose(connection));
    return connection;
  }

  #lose(connection: Connection): void {
    if (this.#connection.value !== connection) return;
    this.#lastError = connection.watch.problem;
    this.#forget();
    connection.retire();
    if (this.settings.reconnect.maxAttempts > 1) this.#attempts ??= this.#connect('reconnecting');
    else this.#state.next('idle');
  }

  #forget(): void {
    if (this.#connection.value !== undefined) this.#connection.next(undefined);
  }
}

/** Runs work that counts until it has settled. */
type CountWork = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Wraps the official client for direct use, so that each promise that a method returns counts as pending work.
 */
function createCountedClient(client: Client, count: CountWork): Client {
  return new Proxy(client, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const given: unknown = Reflect.apply(value, target, args);
        return given instanceof Promise ? count(() => given) : given;
      };
    },
  });
}

/** Returns whether a request's response was lost, which leaves its outcome unknown. */
function isAnswerLost(error: unknown, { watch }: Connection): boolean {
  if (isResponseCut(error)) return true;
  return watch.problem !== undefined && (isLinkError(error) || isUnknownSession(error));
}

/** Returns whether a request definitely did not run: it did not reach the server, or its session was unknown. */
function isUndelivered(error: unknown, { watch }: Connection): boolean {
  if (isUnreached(error)) return true;
  return isUnknownSession(error) && watch.problem instanceof SessionEndedError;
}

/** How to wait for a server that limits requests. */
interface LimitWaits {
  readonly client: string;
  /** Milliseconds to wait in total. */
  readonly longestMs: number;
  readonly pause: (delayMs: number) => Promise<void>;
}

/**
 * Retries work that a server's rate limit rejected.
 *
 * @throws {McpClientLimitedError} if the waits would be too long
 */
async function waitOutLimits<Result>(
  work: () => Promise<Result>,
  { client, longestMs, pause }: LimitWaits,
): Promise<Result> {
  const patience = new RetryBudget(longestMs);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const limit = findServerLimit(error);
      if (limit === undefined) throw error;
      const waitMs = patience.take(limit.retryAfterMs);
      if (waitMs === undefined) throw new McpClientLimitedError(client, limit, error);
      await pause(waitMs);
    }
  }
}
