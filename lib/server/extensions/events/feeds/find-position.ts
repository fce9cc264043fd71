import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { EventDeliveryMode } from '../../../settings/extensions/event-source-options.js';
import { EventError } from '../event.error.js';
import type { EventFeed } from './event-feed.js';
import type { LogPosition } from './event-cursors.js';

/** The requested start position. */
export interface RequestedPosition {
  /** `undefined` for events from now on. */
  readonly cursor: string | undefined;
  /** Maximum age in milliseconds. Older events are omitted. */
  readonly maxAgeMs: number | undefined;
}

/** The resolved start position. */
export interface FoundPosition {
  /** The number of the last event that the client does not receive. */
  readonly after: number;
  /** Whether the client missed events, or may have. */
  readonly isTruncated: boolean;
  /** The position up to which the client has all events, if that is ahead of this process. */
  readonly known?: LogPosition;
}

/**
 * Resolves the start position of a client: its cursor, or the oldest logged event if that is later. An unreadable
 * cursor, or one from before a restart, is treated as older than all events.
 *
 * @throws {McpError} -32602 if the cursor belongs to another source
 */
export function findPosition(feed: EventFeed, { cursor, maxAgeMs }: RequestedPosition): FoundPosition {
  const { log, entry } = feed;
  if (cursor === undefined || entry.isCursorless) return { after: log.last, isTruncated: false };
  const position = feed.parseCursor(cursor);
  if (position !== undefined && position.source !== entry.name) {
    throw McpError.invalidParams(
      '"cursor" belongs to a different event: send a cursor for this event, or null',
    );
  }
  const found = position && feed.findNumber(position.logPosition);
  const wanted = found ?? Number.NEGATIVE_INFINITY;
  const oldest = maxAgeMs === undefined ? wanted : log.findBefore(performance.now() - maxAgeMs);
  const after = Math.max(wanted, log.beforeFirst, oldest);
  const known = found !== undefined && position && feed.isAhead(position.logPosition) && position.logPosition;
  return { after, isTruncated: after > wanted, ...(known && { known }) };
}

/**
 * Checks that a source supports a delivery mode.
 *
 * @throws {EventError} -32014 if it does not
 */
export function assertDeliveryMode({ entry }: EventFeed, mode: EventDeliveryMode): void {
  if (!entry.definition.delivery.includes(mode)) throw EventError.unsupportedDelivery(mode);
}

/**
 * Checks that there are events after a position, or that more can follow. An ended source's logged events can still
 * be read.
 *
 * @throws {EventError} -32011 if the source has ended and has no more events
 */
export function assertNotEnded({ entry, isOver, log }: EventFeed, { after }: FoundPosition): void {
  if (isOver && after >= log.last) throw EventError.unknownEvent(entry.name);
}
