/**
 * The timeout, in milliseconds, for a command's last request, such as ending a session, whose response does not
 * matter.
 */
export const CLOSING_TIMEOUT_MS = 2_000;
