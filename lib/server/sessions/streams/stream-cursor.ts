import { formatPosition, parsePosition } from '../../cluster/position.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { GivenEntries } from './given-entries.js';

/** How far a reader of a standing stream has got: it has what is up to a place, and some of what had no place yet. */
export interface StreamCursor extends ClusterPosition {
  /** As {@link GivenEntries} formats it. @default nothing */
  readonly given?: string;
}

/** Formats an event id: `<epoch>:<number>`, and then what the reader was given that had no place. */
export function formatCursor(cursor: StreamCursor): string {
  return `${formatPosition(cursor)}${cursor.given ?? ''}`;
}

/** Reads an event id. Returns `undefined` if it is not one of a standing stream. */
export function parseCursor(text = ''): StreamCursor | undefined {
  const begin = text.indexOf('~');
  if (begin === -1) return parsePosition(text);
  const position = parsePosition(text.slice(0, begin));
  const given = text.slice(begin);
  return position && GivenEntries.parse(given) && { ...position, given };
}
