const LATER = 'try again later, and check the authorization server log if the error persists';

const REDIRECT =
  'register the exact redirect URI of this client there, or set "redirectUri" to a registered one';

const AUTHENTICATION =
  'check "clientId", "clientSecret", and the client authentication method that the server expects';

const SCOPE = 'request only scopes that it offers this client for this resource: see "scopes"';

const TARGET =
  'register the MCP server URL there as a resource (an API, an audience), and allow this client to request it';

const PROMPT = 'it must show the user a page: log in without "prompt=none" in "authorizationParameters"';

const PLAIN = 'allow plain authorization requests from this client there, without PAR or request objects';

const STRONGER = 'log in again with the stronger method that it requires, such as a second factor';

/** Errors from both endpoints (RFC 6749 §4.1.2.1, §5.2; RFC 8707 §2). */
const SHARED: ReadonlyMap<string, string> = new Map([
  ['invalid_scope', SCOPE],
  ['invalid_target', TARGET],
  ['invalid_client', AUTHENTICATION],
  ['server_error', LATER],
  ['temporarily_unavailable', LATER],
]);

/**
 * Errors from the authorization endpoint (OpenID Connect Core 1.0 §3.1.2.6, RFC 9101 §7, RFC 9126 §2.3, RFC 9470 §3).
 */
const OF_LOGINS: ReadonlyMap<string, string> = new Map([
  ...SHARED,
  [
    'access_denied',
    'log in again, and grant the requested access; if you were not asked for it, have your account authorized there',
  ],
  ['invalid_request', `read its description; if the redirect URI is the cause, as it often is, ${REDIRECT}`],
  ['invalid_redirect_uri', REDIRECT],
  ['redirect_uri_mismatch', REDIRECT],
  [
    'unauthorized_client',
    'allow the authorization code grant for this client there, or set a different "clientId"',
  ],
  ['unsupported_response_type', 'allow the response type "code" for this client there'],
  ['login_required', PROMPT],
  ['interaction_required', PROMPT],
  ['account_selection_required', PROMPT],
  ['consent_required', `${PROMPT}, or have an administrator consent for all users`],
  ['insufficient_user_authentication', STRONGER],
  ['unmet_authentication_requirements', STRONGER],
  ['request_not_supported', PLAIN],
  ['request_uri_not_supported', PLAIN],
  ['invalid_request_uri', PLAIN],
  ['invalid_request_object', PLAIN],
  ['invalid_response', 'log in again, and contact the authorization server operator if the error recurs'],
]);

/** Errors from the token endpoint (RFC 6749 §5.2, RFC 9449 §5, RFC 8628 §3.5). */
const OF_TOKENS: ReadonlyMap<string, string> = new Map([
  ...SHARED,
  [
    'invalid_grant',
    'log in again, because the code, token or assertion was already used, has expired or was revoked',
  ],
  ['invalid_request', 'read its description, and check what the client sends'],
  ['unauthorized_client', 'allow this grant for the client there, or set a different "clientId"'],
  ['unsupported_grant_type', 'allow this grant there, or get a token another way'],
  ['access_denied', 'have this client or its user granted access to this resource there'],
  ['invalid_dpop_proof', 'check the clocks on both sides, and the proof algorithms that it accepts'],
  ['use_dpop_nonce', 'try again, because it requires a newer nonce in the proof'],
  ['slow_down', 'try again later'],
]);

/** Returns how to fix a login that an authorization server refused with an error code. */
export function selectLoginFix(error: string): string {
  return (
    OF_LOGINS.get(error) ?? 'look up this code in the authorization server documentation, and log in again'
  );
}

/** Returns how to fix a token request that was refused with an error code. */
export function selectTokenFix(error: string): string {
  return OF_TOKENS.get(error) ?? "check the client's credentials and its request, or log in again";
}
