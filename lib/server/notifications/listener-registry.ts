import type { RequestId } from '../../core/protocol/json-rpc.js';
import type { OutboundNotification, OutboundMessage } from '../../core/protocol/outbound-message.js';
import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import { selectSequentially } from '../catalog/visibility/select-sequentially.js';
import type { AuthView } from '../context/auth-view.interface.js';
import { CallerShares, type Sharer } from '../sessions/caller-shares.js';
import { ResourceSubscribers } from '../sessions/resource-subscribers.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { VisibilityContext } from '../settings/scoped-call.interface.js';
import {
  LIST_FILTERS,
  RESOURCE_FILTERS,
  type ListFilter,
  type ResourceFilter,
  type SubscriptionFilter,
} from './change-notifications.js';

/** A guess, because it is unknown when a stream will end. */
const RETRY_AFTER_MS = 5000;

/** Finds the scopes that a listener needs for an update; `undefined` if the listener cannot see the resource. */
export type FindScopes = (listener: Listener) => Promise<readonly string[] | undefined>;

type SelectListener = (listener: Listener) => boolean;

/** A resource, and the filter property that subscribes to it. */
interface SubscribedResource {
  readonly filter: ResourceFilter;
  readonly uri: string;
}

interface UpdateRecipients {
  /** The resource's current scopes, which may have changed since the subscription. @default none */
  readonly scopes?: readonly string[] | undefined;
  /** @default all subscribers */
  readonly select?: SelectListener;
}

/** One open `subscriptions/listen` request. */
export interface Listener extends Sharer {
  /** The request itself, because request ids are unique only per client. */
  readonly request?: VisibilityContext;
  readonly subscriptionId: RequestId;
  /** The request's access. @default no scopes */
  readonly auth?: Pick<AuthView, 'hasScope'>;
  readonly filter: SubscriptionFilter;
  /** Sends a message on the listener's stream. */
  readonly send: (message: OutboundMessage) => void;
  /** Ends the request with its result. */
  readonly finish: () => void;
}

/**
 * The open `subscriptions/listen` requests, indexed under their filters.
 *
 * @see MCP 2026-07-28 basic/utilities/subscriptions
 */
export class ListenerRegistry {
  readonly #listeners = new Set<Listener>();
  readonly #shares: CallerShares;
  readonly #byList = createEach(LIST_FILTERS, () => new Set<Listener>());
  /** The subscribers of resources, under the property of the filter that subscribes. */
  readonly resources = createEach(RESOURCE_FILTERS, () => new ResourceSubscribers<Listener>());
  /** Called with each new listener. */
  onAdded: ((listener: Listener) => void) | undefined;

  constructor({ streams, auth }: ServerSettings) {
    const { maxListeners: all, maxListenersPerCaller: perCaller } = streams;
    this.#shares = new CallerShares({ all, perCaller, isProtected: auth !== undefined });
  }

  /**
   * Adds a listener.
   *
   * @throws {RateLimitedError} if the server, this caller, or anonymous callers combined are at their limit
   */
  add(listener: Listener): void {
    if (this.#shares.findBound(listener) !== undefined) {
      const text = 'The server has reached its subscription limit: try again later';
      throw new RateLimitedError(text, { retryAfterMs: RETRY_AFTER_MS });
    }
    this.#listeners.add(listener);
    this.#shares.add(listener);
    for (const filter of LIST_FILTERS) {
      if (listener.filter[filter] === true) this.#byList[filter].add(listener);
    }
    for (const filter of RESOURCE_FILTERS) {
      for (const uri of listener.filter[filter] ?? []) this.resources[filter].add(uri, listener);
    }
    this.onAdded?.(listener);
  }

  remove(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    this.#shares.remove(listener);
    for (const filter of LIST_FILTERS) this.#byList[filter].delete(listener);
    for (const filter of RESOURCE_FILTERS) {
      for (const uri of listener.filter[filter] ?? []) this.resources[filter].remove(uri, listener);
    }
  }

  /** Notifies the listeners that subscribed to a list's changes. */
  sendListChanged(
    filter: ListFilter,
    notification: OutboundNotification,
    select: SelectListener = selectAll,
  ): void {
    for (const listener of this.#byList[filter]) if (select(listener)) sendTagged(listener, notification);
  }

  /** Notifies a resource's subscribers. */
  sendUpdate(
    { filter, uri }: SubscribedResource,
    notification: OutboundNotification,
    { scopes = [], select = selectAll }: UpdateRecipients = {},
  ): void {
    for (const listener of this.resources[filter].get(uri)) {
      if (select(listener)) this.#sendAllowed(listener, notification, scopes);
    }
  }

  /** Notifies those of a resource's subscribers that can see it. */
  async sendVisibleUpdate(
    { filter, uri }: SubscribedResource,
    notification: OutboundNotification,
    findScopes: FindScopes,
  ): Promise<void> {
    await selectSequentially([...this.resources[filter].get(uri)], Infinity, async (listener) => {
      const scopes = await findScopes(listener);
      const isOpen = this.#listeners.has(listener);
      if (scopes !== undefined && isOpen) this.#sendAllowed(listener, notification, scopes);
      return false;
    });
  }

  #sendAllowed(listener: Listener, notification: OutboundNotification, scopes: readonly string[]): void {
    const isAllowed = scopes.every((scope) => listener.auth?.hasScope(scope) === true);
    if (isAllowed) sendTagged(listener, notification);
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Ends every subscription with its result, because clients interpret a cancellation as a failure. */
  close(): void {
    for (const listener of [...this.#listeners]) listener.finish();
  }

  /**
   * Ends those of the given requests that are subscriptions, for example when their client has disconnected. Returns
   * these requests.
   */
  endAmong(requests: readonly object[]): ReadonlySet<object> {
    const ending = new Set(requests);
    const ended = new Set<object>();
    for (const { request, finish } of [...this.#listeners]) {
      if (request === undefined || !ending.has(request)) continue;
      ended.add(request);
      finish();
    }
    return ended;
  }
}

function createEach<Name extends string, Part>(
  names: readonly Name[],
  create: () => Part,
): Readonly<Record<Name, Part>> {
  return Object.fromEntries(names.map((name) => [name, create()])) as Record<Name, Part>;
}

function selectAll(): boolean {
  return true;
}

function sendTagged(listener: Listener, notification: OutboundNotification): void {
  listener.send(notification.taggedFor(listener.subscriptionId));
}
