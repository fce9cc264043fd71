import { ToolError } from './tool.error.js';

/** Why an authorization server gives no token of another service for a caller's. */
export interface ExchangeRefusal {
  /** By its name on the wire, such as `invalid_grant` or `interaction_required`. */
  readonly error: string;
  /** What the caller has to show in a login for another answer, as a request of claims; absent if nothing is asked for. */
  readonly claims?: string | undefined;
}

/**
 * Fails a tool call because the authorization server gives no token of another service for its caller. Uncaught it tells the
 * caller no more than what they can do about it.
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
