import { ExtensionSubscriptions } from '../notifications/extension-subscriptions.js';
import { NotificationReceiver } from '../notifications/notification-receiver.js';
import { NotificationPublisher } from '../notifications/notification-publisher.js';
import { NotificationScopes, ResourceScopes, SubscriberViews } from '../notifications/notification-scopes.js';
import { ListenerRegistry } from '../notifications/listener-registry.js';
import { McpNotifier } from '../notifications/mcp-notifier.js';
import { CallerRequests } from '../notifications/caller-requests.js';
import { LossReporter } from '../notifications/cluster/loss-reporter.js';
import { SessionRecordRefresh } from '../notifications/cluster/session-record-refresh.js';
import { StaleLists } from '../notifications/cluster/stale-lists.js';
import { StreamClaims } from '../notifications/cluster/stream-claims.js';
import { StandaloneStreams } from '../notifications/cluster/standalone-streams.js';
import type { CatalogParts } from './create-catalog.js';
import type { FoundationParts } from './create-foundation.js';
import type { SessionParts } from './create-sessions.js';
import type { ServerInputs } from './server-inputs.js';

export type NotificationParts = ReturnType<typeof createNotifications>;

/** Creates the notifications to clients. */
export function createNotifications(
  { settings }: Pick<ServerInputs, 'settings'>,
  { bus }: Pick<FoundationParts, 'bus'>,
  { access, visibility, digests }: Pick<CatalogParts, 'access' | 'visibility' | 'digests'>,
  { registry, state, updates, lost, shared, detached }: SessionParts,
) {
  const listeners = new ListenerRegistry(settings);
  const scopes = new ResourceScopes(access, visibility);
  const views = new SubscriberViews(scopes);
  const publisher = new NotificationPublisher(bus, registry);
  const required = new NotificationScopes(scopes, views);
  const claims = new StreamClaims(bus, state);
  const streams = new StandaloneStreams(bus, registry, claims, required, shared);
  return {
    listeners,
    views,
    publisher,
    claims,
    streams,
    subscriptions: new ExtensionSubscriptions(bus),
    callerRequests: new CallerRequests(detached, listeners),
    receiver: new NotificationReceiver(registry, listeners, scopes, views, bus),
    refresh: new SessionRecordRefresh(bus, state, registry, lost, claims, streams, settings),
    lossReporter: new LossReporter(registry, listeners, scopes, required, bus),
    staleLists: new StaleLists(registry, digests, state, bus, updates, settings),
    notifier: new McpNotifier(registry, listeners, publisher, settings),
  };
}
