import { isRequestId, type RequestId } from '../../../core/protocol/json-rpc.js';

/**
 * A call's stream name in a cluster: the process that runs the call, the stream's number, and the requests that it
 * serves.
 */
export interface CallName {
  /** The process that runs the call. */
  readonly member: string;
  /** Counts a session's streams in that process. */
  readonly ordinal: number;
  /** The requests that the stream responds to. Empty if their ids are too long to repeat with each event. */
  readonly requestIds: readonly RequestId[];
}

/** An event of a call's stream, parsed from its id. */
export interface CallEventName extends CallName {
  /** The stream's name. */
  readonly stream: string;
  /** The event's number. Absent in the id that marks the end of the stream. */
  readonly number?: number;
}

/** The maximum length of the encoded request ids. Each event repeats them. */
const LONGEST_IDS = 256;

const EVENT_ID = new RegExp(
  `^(([0-9A-Za-z]{1,32})\\.(0|[1-9]\\d{0,15})\\.([\\w-]{0,${LONGEST_IDS}})):(0|[1-9]\\d{0,14}|end)$`,
);

/** Formats the name of a call's stream. The ids of its events consist of this name and a number. */
export function formatCallName({ member, ordinal, requestIds }: CallName): string {
  const [first, ...others] = requestIds;
  const json = JSON.stringify(others.length === 0 ? first : requestIds) ?? '';
  const ids = Buffer.from(json).toString('base64url');
  return `${member}.${ordinal}.${ids.length > LONGEST_IDS ? '' : ids}`;
}

/** Returns whether a stream name was created with {@link formatCallName}. */
export function isCallName(stream: string): boolean {
  return stream.includes('.');
}

/** Formats the id of the event that ends the stream of a call whose process is gone. */
export function formatEndId({ stream }: CallEventName): string {
  return `${stream}:end`;
}

/** Parses the untrusted id of an event on a call's stream. Returns `undefined` if it is invalid. */
export function parseCallEventId(id: string): CallEventName | undefined {
  const [, stream, member, ordinal, ids, number] = EVENT_ID.exec(id) ?? [];
  const requestIds = ids === '' ? [] : parseRequestIds(Buffer.from(ids ?? '', 'base64url').toString());
  if (stream === undefined || member === undefined || requestIds === undefined) return undefined;
  const name = { stream, member, ordinal: Number(ordinal), requestIds };
  return number === 'end' ? name : { ...name, number: Number(number) };
}

/** Parses one or several request ids from untrusted JSON. Returns `undefined` if they are invalid. */
export function parseRequestIds(json: string): readonly RequestId[] | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    const ids: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    return ids.every(isRequestId) ? ids : undefined;
  } catch {
    return undefined;
  }
}
