import { AddedSubscriptions } from '../notifications/added-subscriptions.js';
import { AnnouncementReceiver } from '../notifications/announcing/announcement-receiver.js';
import { Announcer } from '../notifications/announcing/announcer.js';
import { ResourceScopes } from '../notifications/announcing/resource-scopes.js';
import { ListenerRegistry } from '../notifications/listener-registry.js';
import { McpNotifier } from '../notifications/mcp-notifier.js';
import { RequestsOfCallers } from '../notifications/requests-of-callers.js';
import { LossTeller } from '../notifications/standing/loss-teller.js';
import { SessionJudge } from '../notifications/standing/session-judge.js';
import { SessionUpkeep } from '../notifications/standing/session-upkeep.js';
import { StaleLists } from '../notifications/standing/stale-lists.js';
import { StandingClaims } from '../notifications/standing/standing-claims.js';
import { StandingStreams } from '../notifications/standing/standing-streams.js';
import { SubscriberViews } from '../notifications/subscriber-views.js';
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
  { registry, state, news, lost, shared, detached }: SessionParts,
) {
  const listeners = new ListenerRegistry(settings);
  const scopes = new ResourceScopes(access, visibility);
  const views = new SubscriberViews(scopes);
  const announcer = new Announcer(bus, registry);
  const judge = new SessionJudge(scopes, views);
  const claims = new StandingClaims(bus, state);
  const standing = new StandingStreams(bus, registry, claims, judge, shared);
  return {
    listeners,
    views,
    announcer,
    claims,
    standing,
    added: new AddedSubscriptions(bus),
    ended: new RequestsOfCallers(detached, listeners),
    receiver: new AnnouncementReceiver(registry, listeners, scopes, views, bus),
    upkeep: new SessionUpkeep(bus, state, registry, lost, claims, standing, settings),
    losses: new LossTeller(registry, listeners, scopes, judge, bus),
    staleLists: new StaleLists(registry, digests, state, bus, news, settings),
    notifier: new McpNotifier(registry, announcer, settings),
  };
}
