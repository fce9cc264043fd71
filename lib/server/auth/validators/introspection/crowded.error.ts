import { AuthUnavailableError } from '../auth-unavailable.error.js';

/** Too many questions are under way: it is not known whether the token is active, and nothing speaks against it. */
export class CrowdedError extends AuthUnavailableError {
  constructor() {
    const cause = new Error('too many questions are under way');
    super('tokens cannot be introspected', { retryAfterSeconds: 1, cause });
  }
}
