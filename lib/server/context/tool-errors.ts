/**
 * Fails a tool call: the caller receives a result with `isError: true` and this message, for the model to act on.
 *
 * @example
 * throw new ToolError('Ticket 42 is closed: reopen it first');
 *
 * @see MCP server/tools, "Error Handling"
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/**
 * Why state is unavailable.
 * - `unknown_caller`: the call has no token, session or handle
 * - `unknown_handle`: the handle belongs to another server or caller
 * - `invalid`: a key, a value or a time is invalid
 * - `too_large`: a limit was exceeded
 * - `busy`: too many concurrent changes compete
 * - `unavailable`: the cluster backend is unavailable
 */
export type StateErrorCode =
  'unknown_caller' | 'unknown_handle' | 'invalid' | 'too_large' | 'busy' | 'unavailable';

/**
 * Thrown if a caller's state cannot be read or written. If no handler catches it, its message explains to the model
 * what to do.
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
      'The owner of this state is unknown: send the handle that you received, or use "state.createHandle()" for callers without a token',
    );
  }

  static unknownHandle(): StateError {
    return new StateError(
      'unknown_handle',
      'The handle belongs to a different server or caller: start over without it',
    );
  }

  static invalid(subject: string, expected: string, cause?: unknown): StateError {
    return new StateError(
      'invalid',
      `The state ${subject} ${expected}`,
      cause === undefined ? undefined : { cause },
    );
  }

  static tooLarge(option: string, bytes: number, maxBytes: number): StateError {
    return new StateError(
      'too_large',
      `The state would take ${bytes} bytes, but "${option}" allows only ${maxBytes}: store less, or for a shorter time`,
    );
  }

  static busy(): StateError {
    return new StateError('busy', 'The state is being changed by too many calls at once: try again');
  }

  static unavailable(cause: unknown): StateError {
    return new StateError('unavailable', 'The state is temporarily unavailable: try again later', {
      cause,
    });
  }
}

/** Why an authorization server does not exchange a caller's token. */
export interface ExchangeRefusal {
  /** The OAuth error code, such as `invalid_grant` or `interaction_required`. */
  readonly error: string;
  /** Claims that the caller must obtain by logging in again; absent if the authorization server requires none. */
  readonly claims?: string | undefined;
}

/**
 * Fails a tool call because the authorization server does not exchange the caller's token. If no handler catches it,
 * the response only explains what to do.
 *
 * @example
 * try {
 *   return await auth.exchange({ audience: 'api://invoices' });
 * } catch (error) {
 *   if (!(error instanceof ExchangeRefusedError) || error.claims === undefined) throw error;
 *   const claims = Buffer.from(error.claims).toString('base64');
 *   throw new AuthError(401, 'Log in again', `Bearer error="insufficient_claims", claims="${claims}"`);
 * }
 *
 * @see RFC 6749 §5.2, OpenID Connect Core 1.0 §3.1.2.6, §5.5
 */
export class ExchangeRefusedError extends ToolError {
  readonly error: string;
  readonly claims: string | undefined;

  constructor(message: string, { error, claims }: ExchangeRefusal, options?: ErrorOptions) {
    super(message, options);
    this.error = error;
    this.claims = claims;
  }
}
