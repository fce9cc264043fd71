/** The text of the error of a call whose answer broke off. It never goes over the wire. */
export const BROKEN_OFF = 'nestjs-mcp: the answer broke off';

/** What Node calls it when a connection was never made. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** What the official client calls it when a link fails under it. */
const LINK_CODES = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'REQUEST_TIMEOUT', 'SEND_FAILED']);

/** Tells whether trying again later may help: the network, a server that is busy or starts, a process that ended. */
export function isTransient(error: unknown): boolean {
  return isLinkFault(error) || listCauses(error).some(({ status }) => isBusyStatus(status));
}

/** Tells whether a request had no answer because the link to its server failed. */
export function isLinkFault(error: unknown): boolean {
  return isUnreached(error) || listCauses(error).some(isLost);
}

/** Tells whether an answer broke off, be the link as it may. */
export function isBrokenOff(error: unknown): boolean {
  return listCauses(error).some(isCutShort);
}

/** Tells whether a request surely did not come to its server, so that sending it again repeats nothing. */
export function isUnreached(error: unknown): boolean {
  return listCauses(error).some(({ code }) => UNREACHED.has(String(code)));
}

/** What sending threw, which need not have the words of Node. */
const OF_SENDING = new WeakSet<object>();

/** What Node's `fetch` says if no answer comes, or not the whole of it. */
const WORDS_OF_FETCH: ReadonlySet<unknown> = new Set(['fetch failed', 'terminated']);

/** Takes note that an error came from sending a request or reading its answer, and gives it. */
export function noteNetworkFault<Thrown>(error: Thrown): Thrown {
  if (typeof error === 'object' && error !== null) OF_SENDING.add(error);
  return error;
}

/** Tells whether `fetch` failed in the network, which is a `TypeError` by the standard; so is many a fault of a program. */
export function isNetworkFault(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, message, cause }: Fault = error;
  if (name !== 'TypeError') return false;
  return OF_SENDING.has(error) || (WORDS_OF_FETCH.has(message) && cause !== undefined);
}

function isLost(fault: Fault): boolean {
  return isNetworkFault(fault) || LINK_CODES.has(String(fault.code)) || isCutShort(fault);
}

function isCutShort({ message }: Fault): boolean {
  return message === BROKEN_OFF;
}

/** Tells whether a server does not know the session of a request. */
export function isUnknownSession(error: unknown): boolean {
  return (error as { readonly status?: unknown } | undefined)?.status === 404;
}

/** Tells whether a server that answers with a status may do better later. */
export function isBusyStatus(status: unknown): boolean {
  return typeof status === 'number' && (status === 429 || status >= 500);
}

/** Milliseconds after which a server wants to be asked again, by what failed because it was busy. */
const RESTS = new WeakMap<object, number>();

/** Creates what is thrown if a server says by its status that it is busy. */
export function createBusyError(status: number, cause?: unknown): Error {
  return Object.assign(new Error(`The server answered with status ${status}`, { cause }), { status });
}

/** Takes note for how long a server wants to be left alone after a failure, and gives that. */
export function noteRest<Thrown>(error: Thrown, restMs: number): Thrown {
  if (typeof error === 'object' && error !== null) RESTS.set(error, restMs);
  return error;
}

/** Gives for how many milliseconds a server wants to be left alone after a failure. Returns `undefined` if it did not say. */
export function findRest(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? RESTS.get(error) : undefined;
}

/** What of an error tells its kind. */
export interface Fault {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly cause?: unknown;
}

/** Lists an error, its cause, the cause of that, as far as that makes sense. */
export function listCauses(error: unknown, depth = 5): readonly Fault[] {
  if (depth === 0 || typeof error !== 'object' || error === null) return [];
  return [error, ...listCauses((error as Fault).cause, depth - 1)];
}
