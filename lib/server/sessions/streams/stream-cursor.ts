import { formatPosition, parsePosition } from '../../cluster/position.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { SentEntries } from './sent-entries.js';

/**
 * How far a standalone SSE stream's reader has read: the position up to which it has everything, and the entries that
 * it received before they had a position.
 */
export interface StreamCursor extends ClusterPosition {
  /** As {@link SentEntries} formats it. @default nothing */
  readonly given?: string;
}

/** Formats an event id: `<epoch>:<number>`, and the entries that the reader received before they had a position. */
export function formatCursor(cursor: StreamCursor): string {
  return `${formatPosition(cursor)}${cursor.given ?? ''}`;
}

/** Reads an event id. Returns `undefined` if it does not belong to the standalone SSE stream. */
export function parseCursor(text = ''): StreamCursor | undefined {
  const begin = text.indexOf('~');
  if (begin === -1) return parsePosition(text);
  const position = parsePosition(text.slice(0, begin));
  const given = text.slice(begin);
  return position && SentEntries.parse(given) && { ...position, given };
}
