import { AnnouncementReceiver } from '../../../lib/server/notifications/announcing/announcement-receiver.js';
import { Announcer } from '../../../lib/server/notifications/announcing/announcer.js';
import { ResourceScopes } from '../../../lib/server/notifications/announcing/resource-scopes.js';
import { ListenerRegistry } from '../../../lib/server/notifications/listener-registry.js';
import { LocalRelay } from '../../../lib/server/relay/local-relay.js';
import { EndedCallers } from '../../../lib/server/sessions/callers/ended-callers.js';
import type { SessionRegistry } from '../../../lib/server/sessions/session-registry.js';
import { BoundedState } from '../../../lib/server/sessions/shared/bounded-state.js';
import { SharedSessions } from '../../../lib/server/sessions/shared/shared-sessions.js';
import { TestCatalog } from './catalog.js';
import { buildSettings } from './settings.js';

/** Whom a server that is alone tells of what. */
interface Told {
  readonly registry: SessionRegistry;
  /** @default nobody */
  readonly listeners?: ListenerRegistry;
  /** @default empty */
  readonly catalog?: TestCatalog;
}

/** Creates what tells the clients of a server that is alone. */
export function createAnnouncer({ registry, listeners, catalog }: Told): Announcer {
  const relay = new LocalRelay();
  const { resourceAccess, visibility, views } = catalog ?? new TestCatalog();
  const receiver = new AnnouncementReceiver(
    registry,
    listeners ?? new ListenerRegistry(buildSettings()),
    new ResourceScopes(resourceAccess, visibility),
    views,
    relay,
  );
  receiver.onModuleInit();
  return new Announcer(relay, registry);
}

/** Creates what sessions are to a server that is alone. */
export function shareNothing(registry: SessionRegistry): SharedSessions {
  const relay = new LocalRelay();
  const ended = new EndedCallers(relay, buildSettings());
  return new SharedSessions(registry, relay, new BoundedState(relay), buildSettings(), ended);
}
