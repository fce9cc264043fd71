import { isObject } from '../../../../core/protocol/json-rpc.js';

/** Where somebody stands in what a source gives. */
export interface EventPosition {
  readonly source: string;
  /** Names one run of the source: numbers begin anew with each. */
  readonly run: string;
  /** The number of the last event that is behind them. */
  readonly after: number;
}

/** Signs values, and gives them back where they are unchanged. */
export interface CursorSeal {
  seal(value: unknown): string;
  open(sealed: string): unknown;
}

/** Writes positions as cursors that clients keep and cannot change. */
export class EventCursors {
  /** @param findSeal gives what signs; it is there once the extension is registered */
  constructor(private readonly findSeal: () => CursorSeal | undefined) {}

  /** @throws {TypeError} before there is what signs */
  format({ source, run, after }: EventPosition): string {
    const seal = this.findSeal();
    if (seal === undefined)
      throw new TypeError('A cursor cannot be written before the extension is registered');
    return seal.seal({ source, run, after });
  }

  /** Gives the position of a cursor; nothing where this server, or one with its secret, did not write it. */
  parse(cursor: string): EventPosition | undefined {
    const value = this.findSeal()?.open(cursor);
    return isPosition(value) ? value : undefined;
  }
}

function isPosition(value: unknown): value is EventPosition {
  if (!isObject(value)) return false;
  const { source, run, after } = value;
  return typeof source === 'string' && typeof run === 'string' && Number.isSafeInteger(after);
}
