const LATER = 'try again later, and look at the log of the authorization server if it stays so';

const REDIRECT =
  'register exactly the redirect URI of this client there, or set "redirectUri" to one that is registered';

const AUTHENTICATION = 'check "clientId", "clientSecret", and how the client is to authenticate there';

const SCOPE = 'ask only for scopes that it has for this client and this resource: see "scopes"';

const TARGET =
  'register the URL of the MCP server there as a resource (an API, an audience), and allow this client to ask for it';

const PROMPT = 'it has to show the user a page: log in without "prompt=none" in "authorizationParameters"';

const PLAIN =
  'let it accept plain authorization requests of this client: without PAR, and without request objects';

const STRONGER = 'log in again, in the stronger way that it asks for, such as with a second factor';

/** Errors of both endpoints (RFC 6749 §4.1.2.1, §5.2; RFC 8707 §2). */
const SHARED: ReadonlyMap<string, string> = new Map([
  ['invalid_scope', SCOPE],
  ['invalid_target', TARGET],
  ['invalid_client', AUTHENTICATION],
  ['server_error', LATER],
  ['temporarily_unavailable', LATER],
]);

/** Errors of the authorization endpoint (OpenID Connect Core 1.0 §3.1.2.6, RFC 9101 §7, RFC 9126 §2.3, RFC 9470 §3). */
const OF_LOGINS: ReadonlyMap<string, string> = new Map([
  ...SHARED,
  [
    'access_denied',
    'log in again, and allow what is asked for; if nobody was asked, have your account admitted there',
  ],
  ['invalid_request', `read what it says; it is often the redirect URI, then ${REDIRECT}`],
  ['invalid_redirect_uri', REDIRECT],
  ['redirect_uri_mismatch', REDIRECT],
  [
    'unauthorized_client',
    'allow the authorization code grant for this client there, or set another "clientId"',
  ],
  ['unsupported_response_type', 'allow the response type "code" for this client there'],
  ['login_required', PROMPT],
  ['interaction_required', PROMPT],
  ['account_selection_required', PROMPT],
  ['consent_required', `${PROMPT}, or have an administrator consent for everybody`],
  ['insufficient_user_authentication', STRONGER],
  ['unmet_authentication_requirements', STRONGER],
  ['request_not_supported', PLAIN],
  ['request_uri_not_supported', PLAIN],
  ['invalid_request_uri', PLAIN],
  ['invalid_request_object', PLAIN],
  [
    'invalid_response',
    'log in again, and tell the operator of the authorization server if it answers so again',
  ],
]);

/** Errors of the token endpoint (RFC 6749 §5.2, RFC 9449 §5, RFC 8628 §3.5). */
const OF_TOKENS: ReadonlyMap<string, string> = new Map([
  ...SHARED,
  ['invalid_grant', 'log in again, since what was traded in for a token is used up, expired or revoked'],
  ['invalid_request', 'read what it says, and check what the client sends'],
  ['unauthorized_client', 'allow this grant for the client there, or set another "clientId"'],
  ['unsupported_grant_type', 'allow this grant there, or get a token in another way'],
  ['access_denied', 'have this client, or its user, admitted for this resource there'],
  ['invalid_dpop_proof', 'check the clocks of both sides, and the algorithms that it accepts for proofs'],
  ['use_dpop_nonce', 'try again, since it asks for a newer nonce in the proof'],
  ['slow_down', 'try again later'],
]);

/** Returns how to fix a login that an authorization server refused with an error code. */
export function selectLoginFix(error: string): string {
  return OF_LOGINS.get(error) ?? 'see what the authorization server means by this code, and log in again';
}

/** Returns how to fix a token request that was refused with an error code. */
export function selectTokenFix(error: string): string {
  return OF_TOKENS.get(error) ?? "check the client's credentials and what it asks for, or log in again";
}
