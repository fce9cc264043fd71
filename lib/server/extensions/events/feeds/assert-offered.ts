import type { EventDeliveryMode } from '../../../settings/extensions/event-source-options.js';
import { EventError } from '../event.error.js';
import type { EventFeed } from './event-feed.js';
import type { FoundPosition } from './find-position.js';

/**
 * Passes if a source has a way of delivery.
 *
 * @throws {EventError} -32014 if it has not
 */
export function assertOffered({ entry }: EventFeed, mode: EventDeliveryMode): void {
  if (!entry.definition.delivery.includes(mode)) throw EventError.unsupportedDelivery(mode);
}

/**
 * Passes if events after a position exist or can come. The kept events of an ended source can still be read.
 *
 * @throws {EventError} -32011 if nothing ever will
 */
export function assertGoesOn({ entry, isOver, log }: EventFeed, { after }: FoundPosition): void {
  if (isOver && after >= log.last) throw EventError.unknownEvent(entry.name);
}
