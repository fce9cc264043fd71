import { isRequestId, type RequestId } from '../../../core/protocol/json-rpc.js';

/** The id of a call's stream in a server of several processes: the process that has it, its number, and the requests that it answers. */
export interface CallName {
  /** The process that runs the call. */
  readonly member: string;
  /** Counts the streams of a session in that process. */
  readonly ordinal: number;
  /** The requests that the stream answers; none if their ids are too long to be repeated with each event. */
  readonly requestIds: readonly RequestId[];
}

/** An event of a call's stream, as its id names it. */
export interface CallEventName extends CallName {
  /** The name of the stream. */
  readonly stream: string;
  /** The number of the event; absent behind the last, which nothing follows. */
  readonly number?: number;
}

/** Characters of the part of a name that says which requests are answered: each event carries it. */
const LONGEST_IDS = 256;

const EVENT_ID = new RegExp(
  `^(([0-9A-Za-z]{1,32})\\.(0|[1-9]\\d{0,15})\\.([\\w-]{0,${LONGEST_IDS}})):(0|[1-9]\\d{0,14}|end)$`,
);

/** Formats the name of a call's stream: the ids of its events are that and their numbers. */
export function formatCallName({ member, ordinal, requestIds }: CallName): string {
  const [first, ...others] = requestIds;
  const json = JSON.stringify(others.length === 0 ? first : requestIds) ?? '';
  const ids = Buffer.from(json).toString('base64url');
  return `${member}.${ordinal}.${ids.length > LONGEST_IDS ? '' : ids}`;
}

/** Returns whether the name of a stream is one that {@link formatCallName} gave. */
export function isCallName(stream: string): boolean {
  return stream.includes('.');
}

/** Formats the id of what ends a call's stream for its process, which is gone. */
export function formatEndId({ stream }: CallEventName): string {
  return `${stream}:end`;
}

/** Parses the id of an event of a call's stream, which anybody may have written. Returns `undefined` if it is not valid. */
export function parseCallEventId(id: string): CallEventName | undefined {
  const [, stream, member, ordinal, ids, number] = EVENT_ID.exec(id) ?? [];
  const requestIds = ids === '' ? [] : parseRequestIds(Buffer.from(ids ?? '', 'base64url').toString());
  if (stream === undefined || member === undefined || requestIds === undefined) return undefined;
  const place = { stream, member, ordinal: Number(ordinal), requestIds };
  return number === 'end' ? place : { ...place, number: Number(number) };
}

/** Parses one or several request ids from JSON that anybody may have written. Returns `undefined` if they are not valid. */
export function parseRequestIds(json: string): readonly RequestId[] | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    const ids: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    return ids.every(isRequestId) ? ids : undefined;
  } catch {
    return undefined;
  }
}
