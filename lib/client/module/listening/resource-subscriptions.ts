import type { Client } from '@modelcontextprotocol/client';
import { merge, Observable, Subject, type Subscription } from 'rxjs';
import { KeyedMutex } from '../../../core/async/concurrency.js';
import type { ClientLink } from '../connection/client-link.js';
import type { Connection, ServerNotification } from '../connection/connection.js';
import type { ChangeListener } from './change-listener.js';

/** A resource that changed, or may have changed. */
export interface ResourceUpdate {
  /** The URI of the resource, or of one below it. */
  readonly uri: string;
}

/** What subscriptions depend on. */
interface SubscriptionParts {
  readonly link: ClientLink;
  readonly listener: ChangeListener;
  readonly notifications$: Observable<ServerNotification>;
  readonly timeoutMs: number;
}

/** Subscribes to the resources that have observers. The subscriptions survive reconnections. */
export class ResourceSubscriptions {
  readonly #observers = new Map<string, number>();
  /** The requested subscriptions, over this or an earlier connection, with their outcome. */
  readonly #subscribed = new Map<string, Promise<unknown>>();
  /** Subscriptions that a later session refused. They are requested again in the next session. */
  readonly #refused = new Set<string>();
  readonly #missed = new Subject<void>();
  readonly #connections: Subscription;
  #current: Connection | undefined;
  /** Requests about one resource are serialized, because concurrent requests may be reordered. */
  #turns = new KeyedMutex();

  constructor(private readonly parts: SubscriptionParts) {
    this.#connections = parts.link.connection$.subscribe((connection) => void this.#follow(connection));
  }

  /** Observes a resource: the first observer subscribes, and the last one unsubscribes. */
  observe(uri: string): Observable<ResourceUpdate> {
    return new Observable((subscriber) => {
      const notified = this.parts.notifications$.subscribe({
        next: (notification) => {
          const updated = findUpdated(notification);
          if (updated !== undefined && isWithinResource(uri, updated)) subscriber.next({ uri: updated });
        },
        complete: () => subscriber.complete(),
      });
      const missed$ = merge(this.#missed, this.parts.listener.reopened$);
      notified.add(missed$.subscribe(() => subscriber.next({ uri })));
      this.#hold(uri).catch((error: unknown) => subscriber.error(error));
      notified.add(() => this.#release(uri));
      return notified;
    });
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#connections.unsubscribe();
    this.#current = undefined;
  }

  async #hold(uri: string): Promise<void> {
    const observers = this.#observers.get(uri) ?? 0;
    this.#observers.set(uri, observers + 1);
    const { link, listener } = this.parts;
    await link.use(async (client, connection) => {
      if (connection.isPerRequest) return listener.watchResource(uri);
      await (this.#subscribed.get(uri) ?? this.#subscribe(client, uri));
    });
    if (!this.#observers.has(uri)) this.#letGo(uri);
  }

  /** If the server refuses, all waiting callers fail. Later callers retry the request. */
  #subscribe(client: Client, uri: string): Promise<unknown> {
    this.#refused.delete(uri);
    const { timeoutMs: timeout } = this.parts;
    const answer = this.#turns.run(uri, () => client.subscribeResource({ uri }, { timeout }));
    this.#subscribed.set(uri, answer);
    answer.catch(() => {
      if (this.#subscribed.get(uri) === answer) this.#subscribed.delete(uri);
    });
    return answer;
  }

  #release(uri: string): void {
    const observers = (this.#observers.get(uri) ?? 1) - 1;
    if (observers > 0) return void this.#observers.set(uri, observers);
    this.#observers.delete(uri);
    this.#refused.delete(uri);
    this.#letGo(uri);
  }

  #letGo(uri: string): void {
    this.parts.listener.unwatchResource(uri);
    if (!this.#subscribed.delete(uri)) return;
    const connection = this.#current;
    if (connection === undefined || connection.isPerRequest) return;
    const { client } = connection;
    const { timeoutMs: timeout } = this.parts;
    const ending = this.#turns.run(uri, () => client.unsubscribeResource({ uri }, { timeout }));
    // If this fails, further notifications are ignored.
    ending.catch(() => undefined);
  }

  /**
   * Subscribes again in a new session. A subscription that fails is requested again in the next session.
   */
  async #follow(connection: Connection | undefined): Promise<void> {
    this.#current = connection;
    this.#turns = new KeyedMutex();
    const uris = new Set([...this.#subscribed.keys(), ...this.#refused]);
    if (connection === undefined || connection.isPerRequest || uris.size === 0) return;
    const answers = [...uris].map(async (uri) => {
      await this.#subscribe(connection.client, uri).catch(() => this.#refused.add(uri));
    });
    await Promise.all(answers);
    this.#missed.next();
  }
}

function findUpdated({ method, params }: ServerNotification): string | undefined {
  const { uri } = params;
  return method === 'notifications/resources/updated' && typeof uri === 'string' ? uri : undefined;
}

/** Where one part of a URI ends and the next one begins (RFC 3986 §3). */
const BOUNDARY = /[/?#]/;

/**
 * Returns whether a URI is a resource or a part of it: below its path, with a query or with a fragment. URIs that only
 * share a prefix are different resources.
 *
 * @see MCP 2025-11-25 schema, `ResourceUpdatedNotificationParams`: "This might be a sub-resource"
 */
export function isWithinResource(resource: string, uri: string): boolean {
  if (!uri.startsWith(resource)) return false;
  const next = uri.charAt(resource.length);
  return next === '' || BOUNDARY.test(next) || BOUNDARY.test(resource.slice(-1));
}
