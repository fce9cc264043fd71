/** Milliseconds that a server may take for the last request of a command, such as the end of a session. Its answer changes nothing. */
export const CLOSING_TIMEOUT_MS = 2_000;
