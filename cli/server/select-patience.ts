import type { CalledServer } from './called-server.js';

/** The time that a person may take to log in or to answer. A silent server is noticed sooner. */
const PERSON_MS = 15 * 60 * 1000;

/** Selects how many milliseconds a request may take, with a person in between or without. */
export function selectPatience({ timeoutMs, limitWaitMs }: CalledServer, isPersonInvolved: boolean): number {
  return (isPersonInvolved ? Math.max(timeoutMs, PERSON_MS) : timeoutMs) + limitWaitMs;
}
