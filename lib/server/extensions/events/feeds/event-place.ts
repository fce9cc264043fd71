/** The place of an event in its source, which a cursor names. */
export interface EventPlace {
  /** Names what numbers count: the log that processes share, or one run of the source. */
  readonly run: string;
  readonly number: number;
  /** The number of events after it that only one process knows, because the others were out of reach; absent if there are none. */
  readonly own?: number;
  /** The process that knows them. */
  readonly by?: string;
}

/** Tells whether a place is another one, or behind it, in the same run. */
export function isAtOrBehind(one: EventPlace, other: EventPlace): boolean {
  if (one.run !== other.run) return false;
  if (one.number !== other.number) return one.number > other.number;
  // What one process alone knows is behind nobody else.
  return other.own === undefined || (one.by === other.by && (one.own ?? 0) >= other.own);
}

export function isSamePlace(one: EventPlace, other: EventPlace): boolean {
  return isAtOrBehind(one, other) && isAtOrBehind(other, one);
}
