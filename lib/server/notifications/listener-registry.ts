import type { RequestId } from '../../core/protocol/json-rpc.js';
import type { OutboundNotification, OutboundMessage } from '../../core/protocol/outbound-message.js';
import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import { selectInTurn } from '../catalog/visibility/select-in-turn.js';
import type { AuthView } from '../context/auth-view.interface.js';
import { CallerShares, type Sharer } from '../sessions/caller-shares.js';
import { ResourceSubscribers } from '../sessions/resource-subscribers.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { VisibilityContext } from '../settings/scoped-call.interface.js';
import { AREAS, LIST_CHANGED, type Area } from './list-changed.js';

/** Nobody knows when a stream ends. */
const RETRY_AFTER_MS = 5000;

/** What a `subscriptions/listen` asks for (MCP 2026-07-28 `SubscriptionFilter`). */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  /** What the working group's sketch of events adds. */
  readonly eventsListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

/** Finds the scopes that a listener needs for a change; `undefined` if the entry does not exist for the listener. */
export type FindScopes = (listener: Listener) => Promise<readonly string[] | undefined>;

/** Tells whether a listener is among the recipients. */
type SelectListener = (listener: Listener) => boolean;

/** The subscribers of a resource. */
interface ResourceHearing {
  /** What it requires. @default nothing */
  readonly scopes?: readonly string[] | undefined;
  /** @default everybody who asked for it */
  readonly select?: SelectListener;
}

/** One open `subscriptions/listen` request. */
export interface Listener extends Sharer {
  /** The request itself: ids tell apart what one client asked for, and no more. */
  readonly request?: VisibilityContext;
  readonly subscriptionId: RequestId;
  /** The access of the request. @default nothing that needs a scope */
  readonly auth?: Pick<AuthView, 'hasScope'>;
  readonly filter: SubscriptionFilter;
  /** Sends a message on the listener's stream. */
  readonly send: (message: OutboundMessage) => void;
  /** Ends the request with its result. */
  readonly finish: () => void;
}

/**
 * The listeners of the stateless wire, by their filters.
 *
 * @see MCP 2026-07-28 basic/utilities/subscriptions
 */
export class ListenerRegistry {
  readonly #listeners = new Set<Listener>();
  readonly #shares: CallerShares;
  readonly #byArea: Readonly<Record<Area, Set<Listener>>> = {
    tools: new Set(),
    prompts: new Set(),
    resources: new Set(),
    events: new Set(),
  };
  readonly #byResource = new ResourceSubscribers<Listener>();
  /** Is called with each new listener. @default nobody does */
  onAdded: ((listener: Listener) => void) | undefined;

  constructor({ streams, auth }: ServerSettings) {
    const { maxListeners: all, maxListenersPerCaller: perIdentity } = streams;
    this.#shares = new CallerShares({ all, perIdentity, isProtected: auth !== undefined });
  }

  /**
   * Adds a listener.
   *
   * @throws {RateLimitedError} if the server, this caller, or all callers without a token have as many as they may
   */
  add(listener: Listener): void {
    if (this.#shares.findBound(listener) !== undefined) {
      const text = 'The server has reached its limit of subscriptions: try again later';
      throw new RateLimitedError(text, { retryAfterMs: RETRY_AFTER_MS });
    }
    this.#listeners.add(listener);
    this.#shares.add(listener);
    for (const area of AREAS) {
      if (listener.filter[LIST_CHANGED[area].filter] === true) this.#byArea[area].add(listener);
    }
    for (const uri of listener.filter.resourceSubscriptions ?? []) this.#byResource.add(uri, listener);
    this.onAdded?.(listener);
  }

  remove(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    this.#shares.remove(listener);
    for (const area of AREAS) this.#byArea[area].delete(listener);
    for (const uri of listener.filter.resourceSubscriptions ?? []) this.#byResource.remove(uri, listener);
  }

  /** Returns the resources whose changes are asked for. */
  listResources(): readonly string[] {
    return this.#byResource.list();
  }

  /** Tells who asked for the changes of a list. */
  sendToArea(area: Area, notification: OutboundNotification, select: SelectListener = selectAll): void {
    for (const listener of this.#byArea[area]) if (select(listener)) sendTagged(listener, notification);
  }

  /**
   * Tells who asked for the changes of a resource.
   *
   * @param hearing the current scopes of the resource, which may differ from those at the subscription, and the
   *   recipients
   */
  sendToResource(
    uri: string,
    notification: OutboundNotification,
    { scopes = [], select = selectAll }: ResourceHearing = {},
  ): void {
    for (const listener of this.#byResource.get(uri)) {
      if (select(listener)) this.#sendAllowed(listener, notification, scopes);
    }
  }

  /** Tells everybody who asked for the changes of a resource and can see it. */
  async sendToSeeing(uri: string, notification: OutboundNotification, findScopes: FindScopes): Promise<void> {
    await selectInTurn([...this.#byResource.get(uri)], Infinity, async (listener) => {
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

  /** Ends every subscription with its result alone: clients take a cancellation for a failure. */
  close(): void {
    for (const listener of [...this.#listeners]) listener.finish();
  }

  /** Ends the subscriptions among some requests, for example if their client has left. Returns those requests. */
  endAmong(requests: readonly object[]): ReadonlySet<object> {
    const asked = new Set(requests);
    const ended = new Set<object>();
    for (const { request, finish } of [...this.#listeners]) {
      if (request === undefined || !asked.has(request)) continue;
      ended.add(request);
      finish();
    }
    return ended;
  }
}

function selectAll(): boolean {
  return true;
}

function sendTagged(listener: Listener, notification: OutboundNotification): void {
  listener.send(notification.taggedFor(listener.subscriptionId));
}
