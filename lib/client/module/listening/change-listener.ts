import { setTimeout as delay } from 'node:timers/promises';
import type { McpSubscription, SubscriptionFilter } from '@modelcontextprotocol/client';
import { Subject, type Subscription } from 'rxjs';
import { Logger } from '../../../core/logger/logger.js';
import { computeDelay } from '../../../core/waiting/back-off.js';
import { describeFailure } from '../../../core/log/describe-failure.js';
import { escapeText } from '../../../core/log/escape-text.js';
import { formatFacts } from '../../../core/log/format-facts.js';
import type { ClientLink } from '../connection/client-link.js';
import type { Connection } from '../connection/connection.js';
import { tellsOfChanges, type ChangeFamily } from '../lists/list-families.js';
import type { ClientSettings } from '../options/client-settings.js';

/** A stream with the changes that the client asked a server of the stateless wire for. */
interface OpenStream {
  readonly connection: Connection;
  readonly key: string;
  readonly subscription: McpSubscription;
  /** When it began to stand, in milliseconds as `performance.now()` counts. */
  readonly openedAt: number;
}

/** The parts of a listener. */
export interface ListenerParts {
  readonly link: ClientLink;
  readonly settings: ClientSettings;
  /** Is called when changes may have been missed. */
  readonly onGap: () => void;
}

/** The member of a filter, and of what the server honors, for each family. */
const MEMBERS = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
} as const;

/** A stream that stood for fewer milliseconds ended as soon as it stood; the next one waits for about as long. */
const BRIEF_MS = 1000;

/** What a server answers with instead of a stream may be a whole page. */
const LONGEST_REASON = 200;

/**
 * Listens to the changes that a client wants to know of: one stream (`subscriptions/listen`) for all of them, opened when
 * the first is wanted, and again when it drops. Servers of sessions need none: they tell as they are.
 *
 * @see MCP 2026-07-28 basic/utilities/subscriptions
 */
export class ChangeListener {
  readonly #log = new Logger('McpClient');
  readonly #families = new Set<ChangeFamily>();
  readonly #uris = new Set<string>();
  readonly #connections: Subscription;
  readonly #reopened = new Subject<void>();
  /** Emits when a stream is open again, after a time in which changes may have been missed. */
  readonly reopened$ = this.#reopened.asObservable();
  #stream: OpenStream | undefined;
  #hasDropped = false;
  #turn: Promise<void> = Promise.resolve();
  #current: Connection | undefined;
  /** The connection on which somebody tries again already. */
  #retried: Connection | undefined;
  /** How many streams in a row ended as soon as they stood. */
  #briefStreams = 0;

  constructor(private readonly parts: ListenerParts) {
    this.#connections = parts.link.connection$.subscribe((connection) => this.#follow(connection));
  }

  /** Tells whether the server would announce a change in a family now. */
  isTold(connection: Connection, family: ChangeFamily): boolean {
    if (!tellsOfChanges(connection.client.getServerCapabilities(), family)) return false;
    if (!connection.isPerRequest) return connection.isTold;
    const stream = this.#stream;
    return stream?.connection === connection && stream.subscription.honoredFilter[MEMBERS[family]] === true;
  }

  /** Listens to a family from now on. */
  want(family: ChangeFamily): void {
    if (this.#families.has(family)) return;
    this.#families.add(family);
    void this.#keepUp();
  }

  /**
   * Listens to a resource from now on.
   *
   * @throws {Error} what the server refuses it with
   */
  async hold(uri: string): Promise<void> {
    this.#uris.add(uri);
    await this.#sync();
  }

  /** Listens to a resource no longer. */
  release(uri: string): void {
    this.#uris.delete(uri);
    void this.#keepUp();
  }

  /** Ends the stream, and opens no other. */
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

  /** Callers that do not wait can work without the stream until it is open. */
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

  /** One tries for all: what is asked for is settled again at each attempt. */
  async #tryAgain(connection: Connection, failure: unknown): Promise<void> {
    this.#retried = connection;
    const last = await this.#retry(connection, failure);
    if (this.#retried === connection) this.#retried = undefined;
    if (this.#current !== connection) return;
    if (last !== undefined) return this.#giveUp(last);
    // Of what was wanted during the last attempt.
    await this.#keepUp();
  }

  /** Returns the error of the last attempt. Returns `undefined` if an attempt succeeded, or if there is another connection to listen on. */
  async #retry(connection: Connection, failure: unknown): Promise<unknown> {
    const { reconnect } = this.parts.settings;
    let last = failure;
    for (let attempt = 0; attempt < reconnect.maxAttempts; attempt += 1) {
      const pause = computeDelay(reconnect, attempt, { retryAfterMs: connection.watch.restMs });
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

  #giveUp(error: unknown): void {
    const { name, caller } = this.parts.settings;
    const reason = escapeText(describeFailure(error).text, LONGEST_REASON);
    const line = `The client "${name}" gets no notice of changes, so lists may be stale and subscriptions silent: ${reason}`;
    this.#log.warn(formatFacts(line, { caller }));
  }

  /** One after another: two would open two streams. */
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
    // It may have ended by now.
    void stream?.subscription.closed.then((cause) => (cause === 'local' ? undefined : this.#reopen(stream)));
    if (previous !== undefined) await previous.subscription.close();
  }

  /** A stream may begin to stand when its connection is lost for new work already. */
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
    // Of what changed before the stream stood, nobody told.
    this.parts.onGap();
    if (this.#hasDropped) this.#reopened.next();
    this.#hasDropped = false;
    return { connection, key, subscription, openedAt: performance.now() };
  }

  /** A server that ends streams at once may continue to do so. Each next stream is opened later. */
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
    const told = [...this.#families].filter((family) => tellsOfChanges(capabilities, family));
    return {
      ...Object.fromEntries(told.toSorted().map((family) => [MEMBERS[family], true])),
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris].toSorted() }),
    };
  }
}
