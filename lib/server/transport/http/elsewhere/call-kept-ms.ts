/** Milliseconds for which clients that come back are told about a call whose process is gone. */
export const CALL_KEPT_MS = 5 * 60_000;
