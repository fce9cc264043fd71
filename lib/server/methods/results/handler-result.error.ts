import type { UntoldMember } from '../../../core/checks/find-untold-member.js';

/** A handler gave something that cannot be sent as a result. */
export class HandlerResultError extends Error {
  override readonly name = 'HandlerResultError';

  /** Names the member of a result that JSON cannot tell. */
  static untold({ path, kind, remedy }: UntoldMember, cause?: unknown): HandlerResultError {
    const what = path === '' ? 'The result' : `"${path}" of the result`;
    return new HandlerResultError(`${what} is ${kind}: return ${remedy}`, { cause });
  }
}
