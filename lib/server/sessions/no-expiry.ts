/** The end time of a session that lasts for as long as its connection. */
export const NO_EXPIRY = Number.MAX_SAFE_INTEGER;
