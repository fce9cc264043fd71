import { isObject } from '../../../../core/protocol/json-rpc.js';

/** A client's decoded cursor. */
export interface EventCursor {
  readonly source: string;
  /** The position of the last event before the cursor. */
  readonly logPosition: LogPosition;
}

/** Signs values and verifies them. */
interface CursorSigner {
  sign(value: unknown): string;
  verify(sealed: string): unknown;
}

/** Encodes positions as signed cursors. */
export class EventCursors {
  /** @param findSigner returns the signer, which exists once the extension is registered */
  constructor(private readonly findSigner: () => CursorSigner | undefined) {}

  /** @throws {TypeError} before the extension is registered */
  format({ source, logPosition: { run, number: after, own, by } }: EventCursor): string {
    const signer = this.findSigner();
    if (signer === undefined)
      throw new TypeError('A cursor cannot be created before the extension is registered');
    return signer.sign({ source, run, after, ...(own !== undefined && { own, by }) });
  }

  /** Decodes a cursor. Returns `undefined` if it was not signed with the server's secret. */
  parse(cursor: string): EventCursor | undefined {
    const value = this.findSigner()?.verify(cursor);
    if (!isObject(value)) return undefined;
    const { source, run, after, own, by } = value;
    if (typeof source !== 'string' || typeof run !== 'string' || !Number.isSafeInteger(after))
      return undefined;
    const isOwn = Number.isSafeInteger(own) && typeof by === 'string';
    const logPosition = { run, number: Number(after), ...(isOwn && { own: Number(own), by }) };
    return { source, logPosition };
  }
}

/** An event's position in its source, as encoded in cursors. */
export interface LogPosition {
  /** The epoch that the numbers belong to: the log that the cluster shares, or one run of the source. */
  readonly run: string;
  readonly number: number;
  /** The number of later events that only one process has because it was disconnected; absent if there are none. */
  readonly own?: number;
  /** The process that has them. */
  readonly by?: string;
}

/** Returns whether a position equals another one or is after it, in the same run. */
export function isAtOrAfter(one: LogPosition, other: LogPosition): boolean {
  if (one.run !== other.run) return false;
  if (one.number !== other.number) return one.number > other.number;
  // Events of one disconnected process are ordered only among themselves.
  return other.own === undefined || (one.by === other.by && (one.own ?? 0) >= other.own);
}

export function isSamePosition(one: LogPosition, other: LogPosition): boolean {
  return isAtOrAfter(one, other) && isAtOrAfter(other, one);
}
