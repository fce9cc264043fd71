import { ToolError } from './tool.error.js';

/**
 * Why state is not available.
 * - `unknown_caller`: the call has no token, session or handle
 * - `unknown_handle`: the handle is of another server or caller
 * - `invalid`: a key, a value or a time is wrong
 * - `too_large`: a bound is reached
 * - `busy`: others keep changing the value
 * - `unavailable`: the engine of the cluster is out of reach
 */
export type StateErrorCode =
  'unknown_caller' | 'unknown_handle' | 'invalid' | 'too_large' | 'busy' | 'unavailable';

/**
 * Is thrown if the state of a caller cannot be read or written. If no handler catches it, its text tells the model what
 * to do.
 *
 * @example
 * if (error instanceof StateError && error.code === 'too_large') return 'The cart is full';
 */
export class StateError extends ToolError {
  readonly code: StateErrorCode;

  constructor(code: StateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  static unknownCaller(): StateError {
    return new StateError(
      'unknown_caller',
      'The owner of this state is unknown: send the handle that was given, or use "state.createHandle()" for callers without a token',
    );
  }

  static unknownHandle(): StateError {
    return new StateError(
      'unknown_handle',
      'The handle is of another server or another caller: begin again without it',
    );
  }

  static invalid(subject: string, expected: string, cause?: unknown): StateError {
    return new StateError(
      'invalid',
      `The ${subject} of state ${expected}`,
      cause === undefined ? undefined : { cause },
    );
  }

  static tooLarge(option: string, bytes: number, maxBytes: number): StateError {
    return new StateError(
      'too_large',
      `The state would have ${bytes} bytes, and "${option}" allows ${maxBytes}: keep less, or for a shorter time`,
    );
  }

  static busy(): StateError {
    return new StateError('busy', 'The state is being changed by too many calls at once: try again');
  }

  static unavailable(cause: unknown): StateError {
    return new StateError('unavailable', 'The state is out of reach at the moment: try again later', {
      cause,
    });
  }
}
