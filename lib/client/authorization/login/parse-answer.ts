import { AuthorizationResponseError, validateAuthResponse } from 'oauth4webapi';
import { IssuerMismatchError, LoginRefusedError, StateMismatchError } from '../errors/errors.js';
import type { LoginAttempt } from './login-attempt.js';

/**
 * Parses the answer that a user came back with: first its issuer, then its login, and only then its content.
 *
 * @returns the parameters of the answer, which has a code
 * @throws {IssuerMismatchError} if it is another issuer's
 * @throws {StateMismatchError} if it belongs to another login
 * @throws {LoginRefusedError} if it has no code
 * @see RFC 9207 §2.4, RFC 6749 §4.1.2, §10.12
 */
export function parseAnswer(answer: URL, attempt: LoginAttempt): URLSearchParams {
  const { issuer } = attempt.authorizationServer;
  assertIssuer(answer.searchParams, attempt);
  const states = answer.searchParams.getAll('state');
  if (states.length !== 1 || states[0] !== attempt.state) throw new StateMismatchError(issuer);
  const parameters = validate(answer, attempt);
  if (parameters.get('code')) return parameters;
  throw new LoginRefusedError(issuer, 'invalid_response', 'the answer has no "code"');
}

/** Issuers are compared as they are written: a slash more is another one. */
function assertIssuer(parameters: URLSearchParams, { authorizationServer }: LoginAttempt): void {
  const { issuer, authorization_response_iss_parameter_supported: isPromised = false } = authorizationServer;
  // A parameter without a value counts as left out (RFC 6749 §3.1).
  const [found, ...more] = parameters.getAll('iss').filter((iss) => iss !== '');
  if (found === undefined && !isPromised) return;
  if (found !== issuer || more.length > 0) throw new IssuerMismatchError(issuer, found);
}

function validate(answer: URL, { authorizationServer, clientId, state }: LoginAttempt): URLSearchParams {
  const { issuer } = authorizationServer;
  try {
    return validateAuthResponse({ issuer }, { client_id: clientId }, answer, state);
  } catch (error) {
    // What it carries along may have a code in it.
    if (!(error instanceof AuthorizationResponseError)) {
      throw new LoginRefusedError(
        issuer,
        'invalid_response',
        'the answer does not belong to an authorization request',
      );
    }
    throw new LoginRefusedError(issuer, error.error, error.error_description);
  }
}
