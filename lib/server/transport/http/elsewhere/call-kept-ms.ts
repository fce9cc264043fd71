/** Milliseconds for which a returning client can learn about a call whose process is gone. */
export const CALL_KEPT_MS = 5 * 60_000;
