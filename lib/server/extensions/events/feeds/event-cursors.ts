import { isObject } from '../../../../core/protocol/json-rpc.js';
import type { EventPlace } from './event-place.js';

/** The position of a client in the events of a source. */
export interface EventPosition {
  readonly source: string;
  /** The place of the last event that is behind them. */
  readonly place: EventPlace;
}

/** Signs values, and gives them back if they are unchanged. */
export interface CursorSeal {
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
