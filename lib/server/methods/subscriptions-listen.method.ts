import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { isObject, isStringArray, type Params } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { MetaKey } from '../../core/protocol/meta-keys.js';
import { normalizeUri } from '../../core/protocol/normalize-uri.js';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import type { ResourceAccess } from '../catalog/resource-access.js';
import { findAnonymousAddress } from '../context/caller-identity.js';
import type { RequestContext } from '../context/request-context.js';
import { whenTokenEnds } from '../context/authentication.js';
import type { ExtensionSubscriptions, Grant } from '../notifications/extension-subscriptions.js';
import {
  CHANGES,
  LIST_FILTERS,
  RESOURCE_FILTERS,
  type SubscriptionFilter,
} from '../notifications/change-notifications.js';
import type { ListenerRegistry, Listener } from '../notifications/listener-registry.js';
import { findExcess } from '../sessions/subscription-limits.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { assertConcise, HeapCost } from '../memory/memory-limits.js';
import { limitTime } from './time-limit.js';
import type { CapabilitiesDeclaration } from './capabilities-declaration.js';
import type { McpMethod } from './mcp-method.interface.js';

/** Opens a stream of change notifications (MCP 2026-07-28 basic/utilities/subscriptions). */
export class SubscriptionsListenMethod implements McpMethod {
  readonly method = 'subscriptions/listen';

  constructor(
    private readonly listeners: ListenerRegistry,
    private readonly added: ExtensionSubscriptions,
    private readonly capabilities: CapabilitiesDeclaration,
    private readonly settings: ServerSettings,
    private readonly resources: ResourceAccess,
  ) {}

  async handle(context: RequestContext): Promise<Encoded> {
    if (!context.takesMessages) {
      throw McpError.invalidRequest('"Accept" must allow text/event-stream', 406);
    }
    const granted = this.#grantFilter(this.#parseFilter(context.params), context);
    const grants = this.added.isEmpty ? [] : await this.#grant(context);
    const noted = context.operation?.noteListening();
    if (noted !== undefined) await noted;
    // A client may have disconnected before its filter was granted.
    if (!context.isSettled) await this.#listen(context, granted, grants);
    return { _meta: { [MetaKey.subscriptionId]: context.id } };
  }

  /** Only opening the stream has a time limit, not the stream itself. */
  async #grant(context: RequestContext): Promise<readonly Grant[]> {
    const { callTimeoutMs } = this.settings;
    return limitTime(context, callTimeoutMs, () =>
      this.added.grant(context.params['notifications'], context),
    );
  }

  /** Lasts until the server ends the subscription; a client that disconnects aborts it. */
  #listen(
    context: RequestContext,
    { filter, published }: GrantedFilter,
    grants: readonly Grant[],
  ): Promise<void> {
    const subscribed = RESOURCE_FILTERS.reduce((sum, name) => sum + (filter[name]?.length ?? 0), 0);
    // The request is already counted, including its URIs. Later messages never evict another caller's session.
    context.memory?.add(subscribed * HeapCost.subscription);
    // From here on, memory is released when the subscription ends, not with a response.
    const memory = context.memory?.transfer();
    const { promise, resolve } = createGate();
    const listener: Listener = {
      request: context,
      subscriptionId: context.id,
      identity: context.identity,
      auth: context.auth,
      address: findAnonymousAddress(context),
      filter: published,
      send: (message) => context.send(message),
      finish: resolve,
    };
    context.signal.addEventListener('abort', resolve, { once: true });
    const closers = [() => memory?.release(), () => this.listeners.remove(listener)];
    const close = (): void => {
      for (const one of closers.toReversed()) one();
    };
    try {
      this.listeners.add(listener);
      for (const closer of this.#begin(context, filter, grants)) closers.push(closer);
      closers.push(this.#endWithToken(context, resolve));
    } catch (error) {
      close();
      throw error;
    }
    return promise.finally(close);
  }

  /** Acknowledges the subscription, and lets each extension start its own. Returns the functions that close them. */
  *#begin(
    context: RequestContext,
    filter: SubscriptionFilter,
    grants: readonly Grant[],
  ): Generator<() => void> {
    const send = (method: string, params: object): void =>
      context.send(new OutboundNotification(method, params).taggedFor(context.id));
    const added = grants.map(({ subscription, granted }) => [subscription.filter, granted] as const);
    send('notifications/subscriptions/acknowledged', {
      notifications: { ...filter, ...Object.fromEntries(added) },
    });
    for (const grant of grants) yield this.added.begin(grant, send, context);
  }

  /** Ends the subscription when its token expires, if the option requires it. Returns a function that stops the timer. */
  #endWithToken({ auth: { claims } }: RequestContext, end: () => void): () => void {
    const isWanted = this.settings.auth?.endStreamsWithToken === true;
    return isWanted && claims !== undefined ? whenTokenEnds(claims, end) : () => {};
  }

  #parseFilter(params: Params): SubscriptionFilter {
    const { notifications } = params;
    if (!isObject(notifications)) throw McpError.invalidParams('"notifications" must be an object');
    for (const filter of LIST_FILTERS) {
      const asked = notifications[filter];
      if (asked !== undefined && typeof asked !== 'boolean') {
        throw McpError.invalidParams(`"notifications.${filter}" must be a boolean`);
      }
    }
    for (const filter of RESOURCE_FILTERS) this.#assertSubscriptions(filter, notifications[filter]);
    const limited: readonly string[] = RESOURCE_FILTERS;
    const others = Object.fromEntries(
      Object.entries(notifications).filter(([name]) => !limited.includes(name)),
    );
    assertConcise({ ...params, notifications: others }, 'the filter apart from its resources');
    return notifications;
  }

  #assertSubscriptions(filter: string, uris: unknown): void {
    if (uris === undefined) return;
    if (!isStringArray(uris)) {
      throw McpError.invalidParams(`"notifications.${filter}" must be an array of strings`);
    }
    const { sessions } = this.settings;
    // URIs are stored in normal form, which may be longer.
    const excess = findExcess(uris, sessions) ?? findExcess(uris.map(normalizeUri), sessions);
    if (excess === undefined) return;
    const most = excess === 'members' ? sessions.maxSubscriptions : sessions.maxSubscriptionCharacters;
    throw McpError.invalidParams(`"notifications.${filter}" may have at most ${most} ${excess}`);
  }

  /** Narrows a filter down to the lists and resources that the server declares and the caller may see. */
  #grantFilter(asked: SubscriptionFilter, { hidden }: RequestContext): GrantedFilter {
    const declared = this.capabilities.build();
    const filter: Record<string, unknown> = {};
    const published: Record<string, unknown> = {};
    for (const name of LIST_FILTERS) {
      if (asked[name] !== true || !CHANGES[name].isDeclared(declared)) continue;
      filter[name] = true;
      published[name] = true;
    }
    for (const name of RESOURCE_FILTERS) {
      const uris = CHANGES[name].isDeclared(declared) ? asked[name] : undefined;
      if (uris === undefined) continue;
      const found = this.#findUris(uris, hidden);
      filter[name] = [...found.keys()];
      published[name] = [...found.values()];
    }
    return { filter, published };
  }

  /** Returns the visible URIs, each with the URI under which its changes are published. */
  #findUris(uris: readonly string[], hidden: RequestContext['hidden']): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const uri of uris) {
      const published = this.resources.findUri(uri, hidden);
      if (published !== undefined) found.set(uri, published);
    }
    return found;
  }
}

/** The filter granted to the client, and the same filter with the URIs under which changes are published. */
interface GrantedFilter {
  readonly filter: SubscriptionFilter;
  readonly published: SubscriptionFilter;
}

function createGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
