import {
  ForbiddenException,
  HttpException,
  HttpStatus,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { AuthError } from '../../core/oauth/auth.error.js';
import { UNCHECKED_TOKEN } from './describe-refusal.js';
import type { ClosingResponse } from './end-span-with-answer.js';
import type { AuthUnavailableError } from './validators/auth-unavailable.error.js';

/** A response as the adapter has it: Node's own, or one around it. */
export interface ChallengeableResponse extends ClosingResponse {
  readonly raw?: ChallengeableResponse;
  setHeader(name: string, value: string): unknown;
}

/** Creates Nest's exception for a refusal on a route of the application, and sets the header that goes with it. */
export function createAuthException(
  error: AuthError | AuthUnavailableError,
  response: ChallengeableResponse,
): HttpException {
  const raw = response.raw ?? response;
  if (!(error instanceof AuthError)) {
    raw.setHeader('Retry-After', String(error.retryAfterSeconds));
    if (error.httpStatus === 429) {
      return new HttpException(UNCHECKED_TOKEN, HttpStatus.TOO_MANY_REQUESTS, { cause: error });
    }
    return new ServiceUnavailableException('Tokens cannot be checked at the moment', { cause: error });
  }
  raw.setHeader('WWW-Authenticate', error.wwwAuthenticate ?? 'Bearer');
  return error.code === 401
    ? new UnauthorizedException(error.message, { cause: error })
    : new ForbiddenException(error.message, { cause: error });
}
