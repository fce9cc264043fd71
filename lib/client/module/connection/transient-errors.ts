/** The error message for a call whose response was cut off. It is never sent. */
export const RESPONSE_CUT = 'nestjs-mcp: the response was cut off';

/** Node's error codes for a connection that was never opened. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** The official client's error codes for a failed link. */
const LINK_CODES = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'REQUEST_TIMEOUT', 'SEND_FAILED']);

/**
 * Returns whether trying again later may help: after network errors, for a busy or starting server, or for a process
 * that ended.
 */
export function isTransient(error: unknown): boolean {
  return isLinkError(error) || listCauses(error).some(({ status }) => isBusyStatus(status));
}

/** Returns whether a request has no response because the link to its server failed. */
export function isLinkError(error: unknown): boolean {
  return isUnreached(error) || listCauses(error).some(isLost);
}

/** Returns whether the response was cut off, even if the link still works. */
export function isResponseCut(error: unknown): boolean {
  return listCauses(error).some(isCutShort);
}

/** Returns whether a request is safe to resend because it certainly never reached the server. */
export function isUnreached(error: unknown): boolean {
  return listCauses(error).some(({ code }) => UNREACHED.has(String(code)));
}

/** Errors from `fetch` itself. A custom `fetch` may have messages other than Node's. */
const NETWORK_ERRORS = new WeakSet<object>();

/** The messages from Node's `fetch` for a missing or incomplete response. */
const FETCH_MESSAGES: ReadonlySet<unknown> = new Set(['fetch failed', 'terminated']);

/** Marks an error as thrown while sending a request or reading its response, and returns it. */
export function markNetworkError<Thrown>(error: Thrown): Thrown {
  if (typeof error === 'object' && error !== null) NETWORK_ERRORS.add(error);
  return error;
}

/**
 * Returns whether `fetch` failed in the network. By the standard, that is a `TypeError`, like many programming
 * errors.
 */
export function isNetworkError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, message, cause }: ErrorFacts = error;
  if (name !== 'TypeError') return false;
  return NETWORK_ERRORS.has(error) || (FETCH_MESSAGES.has(message) && cause !== undefined);
}

function isLost(problem: ErrorFacts): boolean {
  return isNetworkError(problem) || LINK_CODES.has(String(problem.code)) || isCutShort(problem);
}

function isCutShort({ message }: ErrorFacts): boolean {
  return message === RESPONSE_CUT;
}

/** Returns whether a server does not know a request's session. */
export function isUnknownSession(error: unknown): boolean {
  return (error as { readonly status?: unknown } | undefined)?.status === 404;
}

/** Returns whether a status means that the server is busy. */
export function isBusyStatus(status: unknown): boolean {
  return typeof status === 'number' && (status === 429 || status >= 500);
}

/** The `Retry-After` time of an error, in milliseconds. */
const RETRY_AFTER_MS = new WeakMap<object, number>();

/** Creates the error for a server whose status means that it is busy. */
export function createBusyError(status: number, cause?: unknown): Error {
  return Object.assign(new Error(`The server responded with status ${status}`, { cause }), { status });
}

/** Attaches the server's `Retry-After` to an error, and returns the error. */
export function setRetryAfter<Thrown>(error: Thrown, restMs: number): Thrown {
  if (typeof error === 'object' && error !== null) RETRY_AFTER_MS.set(error, restMs);
  return error;
}

/** Returns an error's `Retry-After` in milliseconds, or `undefined` if the server sent none. */
export function findRetryAfter(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? RETRY_AFTER_MS.get(error) : undefined;
}

/** The properties that classify an error. */
export interface ErrorFacts {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly cause?: unknown;
}

/** Lists an error and its chain of causes, up to a depth. */
export function listCauses(error: unknown, depth = 5): readonly ErrorFacts[] {
  if (depth === 0 || typeof error !== 'object' || error === null) return [];
  return [error, ...listCauses((error as ErrorFacts).cause, depth - 1)];
}
