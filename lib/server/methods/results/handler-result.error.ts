import type { UnserializableMember } from '../../../core/checks/find-unserializable-member.js';

/** A handler gave something that cannot be sent as a result. */
export class HandlerResultError extends Error {
  override readonly name = 'HandlerResultError';

  /** Names the member of a result that JSON cannot represent. */
  static unserializable({ path, kind, remedy }: UnserializableMember, cause?: unknown): HandlerResultError {
    const what = path === '' ? 'The result' : `"${path}" of the result`;
    return new HandlerResultError(`${what} is ${kind}: return ${remedy}`, { cause });
  }
}
