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

/** A guess: when a stream will end is unknown. */
const RETRY_AFTER_MS = 5000;

/** Finds the scopes that an update requires of a listener; `undefined` if the listener cannot see the resource. */
export type FindScopes = (listener: Listener) => Promise<readonly string[] | undefined>;

type SelectListener = (listener: Listener) => boolean;

/** A resource, and the filter property that subscribes to it. */
interface SubscribedResource {
  readonly filter: ResourceFilter;
  readonly uri: string;
}

interface UpdateRecipients {
  /** The current scopes of the resource, which may have changed since the subscription. @default none */
  readonly scopes?: readonly string[] | undefined;
  /** @default all subscribers */
  readonly select?: SelectListener;
}

/** One open `subscriptions/listen` request. */
export interface Listener extends Sharer {
  /** The request itself, because request ids are unique only per client. */
  readonly request?: VisibilityContext;
  readonly subscriptionId: RequestId;
  /** The access of the request. @default no scopes */
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
  readonly #byResource = createEach(RESOURCE_FILTERS, () => new ResourceSubscribers<Listener>());
  /** Called with each new listener. */
  onAdded: ((listener: Listener) => void) | undefined;

  constructor({ streams, auth }: ServerSettings) {
    const { maxListeners: all, maxListenersPerCaller: perIdentity } = streams;
    this.#shares = new CallerShares({ all, perIdentity, isProtected: auth !== undefined });
  }

  /**
   * Adds a listener.
   *
   * @throws {RateLimitedError} if the server, this caller, or anonymous callers together are at their limit
   */
  add(listener: Listener): void {
    if (this.#shares.findBound(listener) !== undefined) {
      const text = 'The server has reached its limit of subscriptions: try again later';
      throw new RateLimitedError(text, { retryAfterMs: RETRY_AFTER_MS });
    }
    this.#listeners.add(listener);
    this.#shares.add(listener);
    for (const filter of LIST_FILTERS) {
      if (listener.filter[filter] === true) this.#byList[filter].add(listener);
    }
    for (const filter of RESOURCE_FILTERS) {
      for (const uri of listener.filter[filter] ?? []) this.#byResource[filter].add(uri, listener);
    }
    this.onAdded?.(listener);
  }

  remove(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    this.#shares.remove(listener);
    for (const filter of LIST_FILTERS) this.#byList[filter].delete(listener);
    for (const filter of RESOURCE_FILTERS) {
      for (const uri of listener.filter[filter] ?? []) this.#byResource[filter].remove(uri, listener);
    }
  }

  /** Returns the resources that have subscribers. */
  listResources(filter: ResourceFilter): readonly string[] {
    return this.#byResource[filter].list();
  }

  /** Notifies the listeners to the changes of a list. */
  sendListChanged(
    filter: ListFilter,
    notification: OutboundNotification,
    select: SelectListener = selectAll,
  ): void {
    for (const listener of this.#byList[filter]) if (select(listener)) sendTagged(listener, notification);
  }

  /** Notifies the subscribers of a resource. */
  sendUpdate(
    { filter, uri }: SubscribedResource,
    notification: OutboundNotification,
    { scopes = [], select = selectAll }: UpdateRecipients = {},
  ): void {
    for (const listener of this.#byResource[filter].get(uri)) {
      if (select(listener)) this.#sendAllowed(listener, notification, scopes);
    }
  }

  /** Notifies the subscribers of a resource who can see it. */
  async sendVisibleUpdate(
    { filter, uri }: SubscribedResource,
    notification: OutboundNotification,
    findScopes: FindScopes,
  ): Promise<void> {
    await selectSequentially([...this.#byResource[filter].get(uri)], Infinity, async (listener) => {
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

  /** Ends the subscriptions among some requests, for example when their client has disconnected. Returns these requests. */
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
