import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { EventDeliveryMode } from '../../../settings/extensions/event-source-options.js';
import { EventError } from '../event.error.js';
import type { EventFeed } from './event-feed.js';
import type { EventPlace } from './event-cursors.js';

/** Where a client wants to begin. */
export interface WantedPosition {
  /** `undefined` for events from now on. */
  readonly cursor: string | undefined;
  /** Milliseconds; what is older is left out. */
  readonly maxAgeMs: number | undefined;
}

/** Where it begins. */
export interface FoundPosition {
  /** The number of the last event that it does not get. */
  readonly after: number;
  /** Whether it missed events, or may have. */
  readonly isTruncated: boolean;
  /** What it has got everything up to, if another process gave it more than this one has yet. */
  readonly known?: EventPlace;
}

/**
 * Finds where a client begins: at its cursor, or at the oldest event that is kept if that is later. A cursor from before
 * a restart, or one that cannot be read, is older than all that is kept.
 *
 * @throws {McpError} -32602 if the cursor is one of another source
 */
export function findPosition(feed: EventFeed, { cursor, maxAgeMs }: WantedPosition): FoundPosition {
  const { log, entry } = feed;
  if (cursor === undefined || entry.isCursorless) return { after: log.last, isTruncated: false };
  const position = feed.parseCursor(cursor);
  if (position !== undefined && position.source !== entry.name) {
    throw McpError.invalidParams('"cursor" is of another event: send one of this event, or null');
  }
  const found = position && feed.findNumber(position.place);
  const wanted = found ?? Number.NEGATIVE_INFINITY;
  const oldest = maxAgeMs === undefined ? wanted : log.findBefore(performance.now() - maxAgeMs);
  const after = Math.max(wanted, log.beforeFirst, oldest);
  const known = found !== undefined && position && feed.isAhead(position.place) && position.place;
  return { after, isTruncated: after > wanted, ...(known && { known }) };
}

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
