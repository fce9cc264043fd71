import { Logger } from '../../core/logger/logger.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import type { RequestContext } from '../context/request-context.js';
import { LocalBus } from '../cluster/local-bus.js';
import { type ClusterBus, Topic } from '../cluster/cluster-bus.js';
import { CHANGES } from './change-notifications.js';

/** A property of a `subscriptions/listen` filter that an extension defines. */
export interface ExtensionSubscription {
  readonly filter: string;
  /** Returns the granted part of a request, or `undefined` if nothing is granted. */
  grant(asked: unknown, context: RequestContext): unknown;
  /** Returns whether a published message is meant for a stream. */
  matches?(granted: unknown, to: unknown, context: RequestContext): boolean;
  /** Starts sending. Returns a function that stops it. */
  open?(granted: unknown, send: SendOnStream, context: RequestContext): () => void;
}

/** Sends a notification on a single `subscriptions/listen` stream. */
export type SendOnStream = (method: string, params: object) => void;

/** The grant for one `subscriptions/listen` request. */
export interface Grant {
  readonly subscription: ExtensionSubscription;
  readonly granted: unknown;
}

/** A message for all listeners to a filter property, in every process. */
export interface Publication {
  readonly filter: string;
  readonly method: string;
  readonly params: object;
  /** The audience, as JSON. Only the extension interprets it. @default all listeners */
  readonly to?: unknown;
}

const PUBLISHED = new Topic<Publication>(
  'extensions.published',
  ({ filter, method, params }: Partial<Publication>) =>
    typeof filter === 'string' && typeof method === 'string' && isObject(params),
);

/** A stream on which a client listens to one filter property. */
interface OpenStream extends Grant {
  readonly send: SendOnStream;
  readonly context: RequestContext;
}

/** The subscriptions that extensions offer. */
export class ExtensionSubscriptions {
  readonly #subscriptions: ExtensionSubscription[] = [];
  readonly #streams = new Map<string, Set<OpenStream>>();
  readonly #due = new OncePerMinute();

  constructor(private readonly bus: ClusterBus = new LocalBus()) {
    bus.on(PUBLISHED, (publication) => this.#deliver(publication));
  }

  get isEmpty(): boolean {
    return this.#subscriptions.length === 0;
  }

  /** Returns whether a filter property is defined. */
  has(filter: string): boolean {
    return (
      Object.hasOwn(CHANGES, filter) ||
      this.#subscriptions.some((subscription) => subscription.filter === filter)
    );
  }

  add(subscription: ExtensionSubscription): void {
    this.#subscriptions.push(subscription);
  }

  /** Returns the part of a client's filter that extensions grant. */
  async grant(filter: unknown, context: RequestContext): Promise<readonly Grant[]> {
    const grants: Grant[] = [];
    for (const subscription of this.#subscriptions) {
      const asked = isObject(filter) ? filter[subscription.filter] : undefined;
      const granted = asked === undefined ? undefined : await subscription.grant(asked, context);
      if (granted !== undefined) grants.push({ subscription, granted });
    }
    return grants;
  }

  /** Starts a granted subscription. Returns a function that ends it. */
  begin({ subscription, granted }: Grant, send: SendOnStream, context: RequestContext): () => void {
    const { filter } = subscription;
    const stream = { subscription, granted, send, context };
    const streams = this.#streams.get(filter) ?? new Set();
    const close = subscription.open?.(granted, send, context);
    this.#streams.set(filter, streams.add(stream));
    return () => {
      streams.delete(stream);
      close?.();
    };
  }

  /** Notifies all listeners to a filter property, in every process. It never throws. */
  publish(publication: Publication): void {
    this.bus.publish(PUBLISHED, publication);
  }

  #deliver({ filter, method, params, to }: Publication): void {
    for (const stream of this.#streams.get(filter) ?? []) {
      if (this.#matches(stream, to)) stream.send(method, params);
    }
  }

  /** A listener whose check fails is skipped, and does not affect others. */
  #matches({ subscription, granted, context }: OpenStream, to: unknown): boolean {
    try {
      return subscription.matches?.(granted, to, context) ?? true;
    } catch (error) {
      if (this.#due.isDue(subscription.filter)) new Logger('McpExtensions').error(error);
      return false;
    }
  }
}
