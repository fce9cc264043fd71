import { AuthUnavailableError } from '../auth-unavailable.error.js';

/** Too many questions come at the moment: it is not known whether the token is active, and nothing speaks against it. */
export class CrowdedError extends AuthUnavailableError {
  constructor(cause: unknown = new Error('too many questions are under way')) {
    super('tokens cannot be introspected', { retryAfterSeconds: 1, httpStatus: 429, cause });
  }
}
