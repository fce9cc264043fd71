import { buildLogEntry, type LogLevel } from '../../core/protocol/log-level.js';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import { serializeInstances } from '../schema/dto/serialize-instances.js';
import { LIST_CHANGED, type Area } from './list-changed.js';

/** Says that the list of an area changed. */
export function buildListChanged(area: Area): OutboundNotification {
  return new OutboundNotification(LIST_CHANGED[area].method);
}

/** Says that a resource changed. */
export function buildUpdate(uri: string): OutboundNotification {
  return new OutboundNotification('notifications/resources/updated', { uri });
}

/** Says what is logged. Its instances are made plain when it is made text, which is when somebody receives it. */
export function buildLogMessage(level: LogLevel, data: unknown, logger?: string): OutboundNotification {
  return new OutboundNotification('notifications/message', {
    ...buildLogEntry(level, data, logger),
    get data() {
      return serializeInstances(data ?? null);
    },
  });
}
