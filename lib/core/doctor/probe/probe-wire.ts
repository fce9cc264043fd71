import { isObject, type JsonObject, parseJsonObject } from '../../protocol/json-rpc.js';

/** A response's headers, with lower-case names. */
export type ResponseHeaders = { readonly [name: string]: string | undefined };

/** A request to send. */
export interface ProbeRequest {
  readonly method: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | undefined;
  /** How long the request may last. @default the examination timeout */
  readonly timeoutMs?: number;
  /** Returns whether the body received so far is enough; without it, the whole body is read. */
  readonly isEnough?: (body: string, headers: ResponseHeaders) => boolean;
}

/** The response to a request. */
export interface ProbeResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
  /** Whether the body ended, or was enough, within the time and size limits. */
  readonly isComplete: boolean;
  /** How many seconds the sender's clock is ahead of this machine's, if it sends a `Date`. */
  readonly aheadSeconds?: number | undefined;
}

/** Many times the size of any document or message here. */
export const LONGEST_BODY_BYTES = 512 * 1024;

/**
 * Sends requests, from Node or from a browser. Responses with any status are returned. Redirects to another origin are
 * not followed, and only the request's own headers are sent. Both methods reject with a `ProbeError` if no response
 * head arrives in time.
 */
export interface ProbeWire {
  /** Sends a request without credentials. */
  readonly send: (url: URL, probe: ProbeRequest) => Promise<ProbeResponse>;
  /** Sends a request to the endpoint with the token, and with a proof if the token is bound to a key. */
  readonly sendAuthorized: (url: URL, probe: ProbeRequest) => Promise<ProbeResponse>;
}

/** A server does not respond over HTTP. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';

  constructor(
    /** What it does instead, phrased to follow its name. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The server ${reason}`, options);
  }
}

/** A request was redirected, and the response cannot be read from here. */
export class RedirectedError extends ProbeError {}

/** A URL cannot be read from here, so nothing is known about it. */
export class UnreadableError extends ProbeError {}

/** Finds the JSON-RPC response in a JSON body or an event stream, regardless of its type. */
export function findResponse(body: string): JsonObject | undefined {
  const whole = parseJsonObject(body);
  if (whole !== undefined) return isResponse(whole) ? whole : undefined;
  return readEvents(body).find(isResponse);
}

function isResponse(value: JsonObject): boolean {
  return value['jsonrpc'] === '2.0' && (isObject(value['result']) || isObject(value['error']));
}

/** Parses the complete events. */
function readEvents(body: string): readonly JsonObject[] {
  const events = body.split(/\r\n\r\n|\n\n|\r\r/);
  return events.flatMap((event) => {
    const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
    if (lines.length === 0) return [];
    const message = parseJsonObject(lines.map((line) => line.slice('data:'.length)).join('\n'));
    return message === undefined ? [] : [message];
  });
}

/** The clock difference that validators tolerate, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * Computes how many seconds the sender's clock is ahead of this machine's, from the headers of a response that has
 * just arrived. Returns `undefined` without a `Date`.
 *
 * @see RFC 9110 §6.6.1, "Date"; RFC 9111 §5.1, "Age"
 */
export function measureClock({ date = '', age }: ResponseHeaders): number | undefined {
  const writtenAt = Date.parse(date);
  if (Number.isNaN(writtenAt)) return undefined;
  const heldMs = /^\d{1,9}$/.test(age ?? '') ? Number(age) * 1000 : 0;
  return Math.round((writtenAt + heldMs - Date.now()) / 1000);
}

/** Runs a function on the first call, and returns the same result for every later call. */
export function once<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= act());
}
