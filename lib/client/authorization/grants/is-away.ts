import { isMoved } from '../../../core/oauth/is-moved.js';
import { NoAnswerError, TokenRequestRefusedError } from '../errors/errors.js';

/** Tells whether a request for a token failed because no token endpoint is there, or not any more. */
export function isAway(error: unknown): boolean {
  if (error instanceof TokenRequestRefusedError) return isMoved(error.status);
  return error instanceof NoAnswerError;
}
