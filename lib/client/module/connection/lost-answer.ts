import { SessionEndedError } from '../errors/session-ended.error.js';
import type { Connection } from './connection.js';
import { isBrokenOff, isLinkFault, isUnknownSession, isUnreached } from './is-transient.js';

/** Tells whether a request failed for lack of its answer, whatever the server made of it. */
export function isAnswerLost(error: unknown, { watch }: Connection): boolean {
  if (isBrokenOff(error)) return true;
  return watch.fault !== undefined && (isLinkFault(error) || isUnknownSession(error));
}

/** Tells whether a server surely did not look at a request, which it has not if it does not know the session. */
export function isUndelivered(error: unknown, { watch }: Connection): boolean {
  if (isUnreached(error)) return true;
  return isUnknownSession(error) && watch.fault instanceof SessionEndedError;
}
