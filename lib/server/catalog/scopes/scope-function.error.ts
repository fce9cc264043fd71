import type { ScopedCall } from '../../settings/scoped-call.interface.js';
import { formatScoped } from './format-scoped.js';

/** A function of the application gave something else than scopes: the call that it was asked about is refused. */
export class ScopeFunctionError extends Error {
  override readonly name = 'ScopeFunctionError';

  /** @param given what it gave, in words */
  constructor(call: ScopedCall, given: string) {
    super(
      `It cannot be told which scopes the ${formatScoped(call)} needs: expected the function in "RequireScope" to give a scope, or an array of scopes, "[]" for none; got ${given}`,
    );
  }
}
