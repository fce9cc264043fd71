import { setTimeout as delay } from 'node:timers/promises';
import type { McpSubscription, SubscriptionFilter } from '@modelcontextprotocol/client';
import { Subject, type Subscription } from 'rxjs';
import { Logger } from '../../../core/logger/logger.js';
import { computeDelay } from '../../../core/async/retry.js';
import { describeFailure } from '../../../core/log/describe-failure.js';
import { escapeText } from '../../../core/log/escape-text.js';
import { formatFacts } from '../../../core/log/format-facts.js';
import type { ClientLink } from '../connection/client-link.js';
import type { Connection } from '../connection/connection.js';
import { declaresListChanged, type ChangeFamily } from '../lists/list-families.js';
import type { ClientSettings } from '../options/client-settings.js';

/** An open `subscriptions/listen` stream of a 2026-07-28 server. */
interface OpenStream {
  readonly connection: Connection;
  readonly key: string;
  readonly subscription: McpSubscription;
  /** When it was opened, in `performance.now()` milliseconds. */
  readonly openedAt: number;
}

/** A listener's dependencies. */
export interface ListenerParts {
  readonly link: ClientLink;
  readonly settings: ClientSettings;
  /** Called when changes may have been missed. */
  readonly onGap: () => void;
}

/** The filter property for each family. */
const MEMBERS = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
} as const;

/** A stream that was open for fewer milliseconds counts as brief. The next one is delayed for about as long. */
const BRIEF_MS = 1000;

/** The response instead of a stream may be a complete HTML page. */
const LONGEST_REASON = 200;

/**
 * Listens for the changes that a client needs, with one stream (`subscriptions/listen`) for all of them, which is
 * opened when the first is needed and reopened when it drops. Servers with sessions notify without such a stream.
 *
 * @see MCP 2026-07-28 basic/utilities/subscriptions
 */
export class ChangeListener {
  readonly #log = new Logger('McpClient');
  readonly #families = new Set<ChangeFamily>();
  readonly #uris = new Set<string>();
  readonly #connections: Subscription;
  readonly #reopened = new Subject<void>();
  /** Emits when a stream has been reopened, after changes may have been missed. */
  readonly reopened$ = this.#reopened.asObservable();
  #stream: OpenStream | undefined;
  #hasDropped = false;
  #turn: Promise<void> = Promise.resolve();
  #current: Connection | undefined;
  /** The connection with retries in progress. */
  #retried: Connection | undefined;
  /** The number of consecutive brief streams. */
  #briefStreams = 0;

  constructor(private readonly parts: ListenerParts) {
    this.#connections = parts.link.connection$.subscribe((connection) => this.#follow(connection));
  }

  /** Returns whether the server would now notify the client of changes to a family. */
  isNotified(connection: Connection, family: ChangeFamily): boolean {
    if (!declaresListChanged(connection.client.getServerCapabilities(), family)) return false;
    if (!connection.isPerRequest) return connection.receivesNotifications;
    const stream = this.#stream;
    return stream?.connection === connection && stream.subscription.honoredFilter[MEMBERS[family]] === true;
  }

  /** Starts to listen for changes to a family. */
  watchList(family: ChangeFamily): void {
    if (this.#families.has(family)) return;
    this.#families.add(family);
    void this.#keepUp();
  }

  /**
   * Starts to listen for changes to a resource.
   *
   * @throws {Error} if the server refuses it
   */
  async watchResource(uri: string): Promise<void> {
    this.#uris.add(uri);
    await this.#sync();
  }

  /** Stops listening for changes to a resource. */
  unwatchResource(uri: string): void {
    this.#uris.delete(uri);
    void this.#keepUp();
  }

  /** Ends the stream without opening another. */
  close(): void {
    this.#connections.unsubscribe();
    this.#current = undefined;
    this.#families.clear();
    this.#uris.clear();
  }

  #follow(connection: Connection | undefined): void {
    this.#current = connection;
    this.#briefStreams = 0;
    if (this.#stream !== undefined) this.#drop();
    if (connection !== undefined) void this.#keepUp();
  }

  /** Opens or updates the stream in the background, with retries. */
  async #keepUp(): Promise<void> {
    const connection = this.#current;
    if (connection !== undefined && connection === this.#retried) return;
    try {
      await this.#sync();
    } catch (error) {
      if (connection === undefined || connection !== this.#current || connection === this.#retried) return;
      await this.#tryAgain(connection, error);
    }
  }

  /** One retry loop serves all callers, because each attempt builds the current filter. */
  async #tryAgain(connection: Connection, failure: unknown): Promise<void> {
    this.#retried = connection;
    const last = await this.#retry(connection, failure);
    if (this.#retried === connection) this.#retried = undefined;
    if (this.#current !== connection) return;
    if (last !== undefined) return this.#reportFailure(last);
    // Covers changes to the filter during the last attempt.
    await this.#keepUp();
  }

  /** Returns the last attempt's error. Returns `undefined` if an attempt succeeded, or if there is another connection to listen on. */
  async #retry(connection: Connection, failure: unknown): Promise<unknown> {
    const { reconnect } = this.parts.settings;
    let last = failure;
    for (let attempt = 0; attempt < reconnect.maxAttempts; attempt += 1) {
      const pause = computeDelay(reconnect, attempt, { retryAfterMs: connection.watch.retryAfterMs });
      await delay(pause, undefined, { ref: false });
      if (this.#current !== connection) return undefined;
      try {
        await this.#sync();
        return undefined;
      } catch (error) {
        last = error;
      }
    }
    return last;
  }

  #reportFailure(error: unknown): void {
    const { name, caller } = this.parts.settings;
    const reason = escapeText(describeFailure(error).text, LONGEST_REASON);
    const line = `The client "${name}" is not notified of changes, so lists may be stale and subscriptions may miss updates: ${reason}`;
    this.#log.warn(formatFacts(line, { caller }));
  }

  /** Serialized, because concurrent calls would open two streams. */
  #sync(): Promise<void> {
    const turn = this.#turn.then(() => this.#openStream());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #openStream(): Promise<void> {
    const connection = this.#current;
    if (connection === undefined || !connection.isPerRequest) return;
    const filter = this.#buildFilter(connection);
    const key = JSON.stringify(filter);
    const previous = this.#findStream(connection);
    if (previous?.key === key) return;
    const stream = key === '{}' ? undefined : await this.#listen(connection, filter, key);
    this.#stream = stream;
    // It may already have ended.
    void stream?.subscription.closed.then((cause) => (cause === 'local' ? undefined : this.#reopen(stream)));
    if (previous !== undefined) await previous.subscription.close();
  }

  /** Drops an earlier connection's stream. */
  #findStream(connection: Connection): OpenStream | undefined {
    const stream = this.#stream;
    if (stream === undefined || stream.connection === connection) return stream;
    this.#drop();
    stream.subscription.close().catch(() => undefined);
    return undefined;
  }

  async #listen(connection: Connection, filter: SubscriptionFilter, key: string): Promise<OpenStream> {
    const { timeoutMs: timeout } = this.parts.settings;
    const subscription = await connection.client.listen(filter, { timeout });
    // Changes before the stream was open were missed.
    this.parts.onGap();
    if (this.#hasDropped) this.#reopened.next();
    this.#hasDropped = false;
    return { connection, key, subscription, openedAt: performance.now() };
  }

  /** A server that closes streams immediately may continue to do so, so each subsequent stream is delayed longer. */
  async #reopen(stream: OpenStream): Promise<void> {
    if (this.#stream !== stream) return;
    this.#drop();
    const isBrief = performance.now() - stream.openedAt < BRIEF_MS;
    if (isBrief) await this.#pause();
    this.#briefStreams = isBrief ? this.#briefStreams + 1 : 0;
    if (this.#current === stream.connection) await this.#keepUp();
  }

  async #pause(): Promise<void> {
    const { reconnect } = this.parts.settings;
    const maxDelayMs = Math.max(reconnect.maxDelayMs, BRIEF_MS);
    const pause = computeDelay({ initialDelayMs: BRIEF_MS, maxDelayMs }, this.#briefStreams);
    await delay(pause, undefined, { ref: false });
  }

  #drop(): void {
    this.#stream = undefined;
    this.#hasDropped = true;
    this.parts.onGap();
  }

  #buildFilter({ client }: Connection): SubscriptionFilter {
    const capabilities = client.getServerCapabilities();
    const notified = [...this.#families].filter((family) => declaresListChanged(capabilities, family));
    return {
      ...Object.fromEntries(notified.toSorted().map((family) => [MEMBERS[family], true])),
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris].toSorted() }),
    };
  }
}
