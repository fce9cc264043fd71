import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { BehaviorSubject, filter, firstValueFrom, type Observable } from 'rxjs';
import { ResponseTooLargeError } from '../../../core/network/response-too-large.error.js';
import { findServerLimit } from '../../../core/protocol/limited-answer.js';
import { findRequiredElicitations } from '../../../core/protocol/required-elicitations.js';
import { computeDelay } from '../../../core/waiting/back-off.js';
import { LimitPatience } from '../../../core/waiting/limit-patience.js';
import { orAborted } from '../../../core/waiting/or-aborted.js';
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
  findRest,
  isBrokenOff,
  isLinkFault,
  isTransient,
  isUnknownSession,
  isUnreached,
  listCauses,
  type Fault,
} from './transient-errors.js';
import type { ConnectedWork, Connection, HeldLink, McpClientState, WorkOptions } from './connection.js';

/** Counts the work that is under way, and tells when all of it is over. */
class Leases {
  readonly #held = new BehaviorSubject(0);
  #areEnding = false;

  /** Whether no further work may begin. */
  get areEnding(): boolean {
    return this.#areEnding;
  }

  /** Does work, which counts until it has settled. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#held.next(this.#held.value + 1);
    try {
      return await work();
    } finally {
      this.#held.next(this.#held.value - 1);
    }
  }

  /** Resolves once all work is over, and that which it begins meanwhile. */
  async end(): Promise<void> {
    this.#areEnding = true;
    await firstValueFrom(this.#held.pipe(filter((held) => held === 0)));
  }
}

/** The official client's error codes for a status other than 2xx, and for a token that was, or cannot be, fetched for the call. */
const HTTP_CODES = new Set([
  'CLIENT_HTTP_AUTHENTICATION',
  'CLIENT_HTTP_NOT_IMPLEMENTED',
  'retry_exhausted',
  'login_in_vain',
]);

/**
 * Turns a failure into the error that users of the client see. There are separate errors for a server that wants a
 * token, sends the user to a page or sends too much, and for a process that cannot be started. Other failures stay as
 * they came.
 */
function explainRefusal(error: unknown, { name, server }: ClientSettings): unknown {
  if (error instanceof McpClientError) return error;
  const { code, syscall } = (error ?? {}) as Fault & { readonly syscall?: unknown };
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
  // The official client may say in its own words that it could not begin, for that reason.
  const refusal = listCauses(error).find(isUnauthorized);
  if (refusal === undefined) return error;
  return new McpClientUnauthorizedError(name, sendsToken(server), refusal);
}

/** Creates what a call gets that waited for a connection in vain. */
function createUnavailable(
  { name, server }: ClientSettings,
  waitedMs: number,
  cause: unknown,
): McpClientUnavailableError {
  const place = 'url' in server ? server.url : server.command;
  return new McpClientUnavailableError(name, { server: place, waitedMs, cause });
}

function isUnauthorized({ code, status }: Fault): boolean {
  return status === 401 && HTTP_CODES.has(String(code));
}

function sendsToken(server: ClientSettings['server']): boolean {
  if (!('url' in server)) return false;
  const headers = Object.keys(server.headers ?? {});
  return server.auth !== undefined || headers.some((header) => header.toLowerCase() === 'authorization');
}

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
        if (!isTransient(error) || attempt + 1 >= reconnect.maxAttempts)
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
    if (this.settings.reconnect.maxAttempts > 1) this.#attempts ??= this.#connect('reconnecting');
    else this.#state.next('idle');
  }

  #forget(): void {
    if (this.#connection.value !== undefined) this.#connection.next(undefined);
  }
}

/** Does work that counts until it has settled. */
type CountWork = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Gives the official client to those who call its methods themselves. Each promise of a method counts as work under way,
 * however many requests it makes.
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

/** Tells whether a request failed for lack of its answer, whatever the server made of it. */
function isAnswerLost(error: unknown, { watch }: Connection): boolean {
  if (isBrokenOff(error)) return true;
  return watch.fault !== undefined && (isLinkFault(error) || isUnknownSession(error));
}

/** Tells whether a server surely did not look at a request, which it has not if it does not know the session. */
function isUndelivered(error: unknown, { watch }: Connection): boolean {
  if (isUnreached(error)) return true;
  return isUnknownSession(error) && watch.fault instanceof SessionEndedError;
}

/** How a client waits for a server that limits requests. */
interface LimitWaits {
  readonly client: string;
  /** Milliseconds to wait in all. */
  readonly longestMs: number;
  readonly pause: (delayMs: number) => Promise<void>;
}

/**
 * Does work again as often as a server that limits requests asks for it: it has done nothing of it.
 *
 * @throws {McpClientLimitedError} if that takes too long
 */
async function waitOutLimits<Result>(
  work: () => Promise<Result>,
  { client, longestMs, pause }: LimitWaits,
): Promise<Result> {
  const patience = new LimitPatience(longestMs);
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
