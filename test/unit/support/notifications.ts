import { NotificationReceiver } from '../../../lib/server/notifications/notification-receiver.js';
import { NotificationPublisher } from '../../../lib/server/notifications/notification-publisher.js';
import { ResourceScopes } from '../../../lib/server/notifications/notification-scopes.js';
import { ListenerRegistry } from '../../../lib/server/notifications/listener-registry.js';
import { LocalBus } from '../../../lib/server/cluster/local-bus.js';
import { EndedCallers } from '../../../lib/server/sessions/callers/ended-callers.js';
import type { SessionRegistry } from '../../../lib/server/sessions/session-registry.js';
import { BoundedState } from '../../../lib/server/sessions/shared/bounded-state.js';
import { SharedSessions } from '../../../lib/server/sessions/shared/shared-sessions.js';
import { TestCatalog } from './catalog.js';
import { buildSettings } from './settings.js';

/** The clients and the catalog of a single process. */
interface Recipients {
  readonly registry: SessionRegistry;
  /** @default none */
  readonly listeners?: ListenerRegistry;
  /** @default empty */
  readonly catalog?: TestCatalog;
}

/** Creates the publisher of a single process. */
export function createPublisher({ registry, listeners, catalog }: Recipients): NotificationPublisher {
  const bus = new LocalBus();
  const { resourceAccess, visibility, views } = catalog ?? new TestCatalog();
  const receiver = new NotificationReceiver(
    registry,
    listeners ?? new ListenerRegistry(buildSettings()),
    new ResourceScopes(resourceAccess, visibility),
    views,
    bus,
  );
  receiver.onModuleInit();
  return new NotificationPublisher(bus, registry);
}

/** Creates the shared sessions of a single process. */
export function shareNothing(registry: SessionRegistry): SharedSessions {
  const bus = new LocalBus();
  const ended = new EndedCallers(bus, buildSettings());
  return new SharedSessions(registry, bus, new BoundedState(bus), buildSettings(), ended);
}
