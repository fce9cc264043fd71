import { type ClientIdentity, encodeForm } from './client-identity.js';

/** Sends one request and returns the whole response, within limits on time, size and redirects. */
export type TokenSend = (url: string, request: TokenSendRequest) => Promise<Response>;

/** A form request to a token endpoint. */
export interface TokenSendRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
}

/**
 * A token endpoint did not issue a token, or sent a malformed response. The message contains neither the request nor
 * a token.
 */
export class TokenEndpointError extends Error {
  override readonly name = 'TokenEndpointError';

  constructor(
    /** The response status. */
    readonly status: number,
    /** The error code on the wire, such as `invalid_grant` (RFC 6749 §5.2); `invalid_response` if the response cannot be read. */
    readonly error: string,
    /** The authorization server's explanation for developers. */
    readonly description?: string | undefined,
    /** The claims that the user must satisfy in a new login, as a claims request (OpenID Connect Core 1.0 §5.5). */
    readonly claims?: string | undefined,
  ) {
    super(`The token endpoint responded with status ${status} and "${error}"`);
  }
}

/** The parameters that must not appear in an error. */
const SECRET_PARAMETERS = [
  'assertion',
  'token',
  'subject_token',
  'code',
  'code_verifier',
  'refresh_token',
  'client_assertion',
];

/** Removes a request's secrets from a string, in every form that they were sent in. */
export function redactSecrets(
  text: string,
  { clientSecret }: ClientIdentity,
  { headers, body }: TokenSendRequest,
): string {
  const [, credentials] = headers['authorization']?.split(' ') ?? [];
  const values = [clientSecret, credentials, ...SECRET_PARAMETERS.map((name) => body.get(name))];
  const secrets = values.filter((value): value is string => typeof value === 'string' && value !== '');
  const forms = new Set(secrets.flatMap((secret) => [secret, encodeForm(secret)]));
  // One secret may be a prefix of another, whose remainder would otherwise stay visible.
  const longestFirst = [...forms].toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((hidden, secret) => hidden.replaceAll(secret, '[secret]'), text);
}
