import { isObject } from '../../../../core/protocol/json-rpc.js';

/** The position of a client in the events of a source. */
export interface EventPosition {
  readonly source: string;
  /** The place of the last event that is behind them. */
  readonly place: EventPlace;
}

/** Signs values, and gives them back if they are unchanged. */
interface CursorSeal {
  sign(value: unknown): string;
  verify(sealed: string): unknown;
}

/** Writes positions as cursors that clients keep and cannot change. */
export class EventCursors {
  /** @param findSeal returns the signer, which exists when the extension is registered */
  constructor(private readonly findSeal: () => CursorSeal | undefined) {}

  /** @throws {TypeError} before there is what signs */
  format({ source, place: { run, number: after, own, by } }: EventPosition): string {
    const seal = this.findSeal();
    if (seal === undefined)
      throw new TypeError('A cursor cannot be written before the extension is registered');
    return seal.sign({ source, run, after, ...(own !== undefined && { own, by }) });
  }

  /** Returns the position of a cursor, or `undefined` if this server, or one with its secret, did not write it. */
  parse(cursor: string): EventPosition | undefined {
    const value = this.findSeal()?.verify(cursor);
    if (!isObject(value)) return undefined;
    const { source, run, after, own, by } = value;
    if (typeof source !== 'string' || typeof run !== 'string' || !Number.isSafeInteger(after))
      return undefined;
    const isOwn = Number.isSafeInteger(own) && typeof by === 'string';
    const place = { run, number: Number(after), ...(isOwn && { own: Number(own), by }) };
    return { source, place };
  }
}

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
