import { describe, expect, it } from '@jest/globals';
import * as client from '../../../../lib/client/authorization/index.js';

const URL_WITH_SECRETS =
  'https://secret-user:secret-password@desk.example.com/mcp?code=secret-code#secret-part';
const LONG = `${'x'.repeat(5000)}\r\nsecond line`;

/** One of each condition, made of what a hostile server may have said. */
const ERRORS: readonly (readonly [string, client.ClientAuthError])[] = [
  ['body_not_replayable', new client.BodyNotReplayableError(URL_WITH_SECRETS)],
  ['browser_unavailable', new client.BrowserUnavailableError()],
  ['discovery_failed', new client.DiscoveryFailedError({ url: URL_WITH_SECRETS, problem: 'is away' })],
  ['discovery_failed', new client.NoAuthorizationServerError(URL_WITH_SECRETS)],
  ['insecure_endpoint', new client.InsecureEndpointError(URL_WITH_SECRETS, 'token_endpoint')],
  ['issuer_mismatch', new client.IssuerMismatchError('https://login.example.com', LONG)],
  ['login_refused', new client.LoginRefusedError('https://login.example.com', 'access_denied', LONG)],
  ['login_timed_out', new client.LoginTimedOutError(300_000)],
  ['no_answer', new client.NoAnswerError(URL_WITH_SECRETS, 'is away')],
  ['no_token_yet', new client.NoTokenYetError()],
  ['pkce_unsupported', new client.PkceUnsupportedError(LONG)],
  ['private_address', new client.PrivateAddressError(URL_WITH_SECRETS, URL_WITH_SECRETS)],
  ['redirect_refused', new client.RedirectRefusedError(URL_WITH_SECRETS, URL_WITH_SECRETS)],
  ['redirect_refused', new client.RedirectRefusedError(URL_WITH_SECRETS, undefined)],
  ['redirect_unavailable', new client.RedirectUnavailableError(URL_WITH_SECRETS)],
  ['registration_unavailable', new client.RegistrationUnavailableError(LONG, 'nothing is offered')],
  ['resource_mismatch', new client.ResourceMismatchError(URL_WITH_SECRETS, LONG)],
  ['retry_exhausted', new client.RetryExhaustedError(URL_WITH_SECRETS, 401, [])],
  ['retry_exhausted', new client.RetryExhaustedError(URL_WITH_SECRETS, 403, ['a', LONG])],
  [
    'revocation_refused',
    new client.RevocationRefusedError(URL_WITH_SECRETS, { status: 503, error: undefined }),
  ],
  [
    'revocation_refused',
    new client.RevocationRefusedError(URL_WITH_SECRETS, { status: 401, error: 'invalid_client' }),
  ],
  ['state_mismatch', new client.StateMismatchError('https://login.example.com')],
  [
    'token_request_refused',
    new client.TokenRequestRefusedError({
      tokenEndpoint: URL_WITH_SECRETS,
      status: 400,
      error: 'invalid_grant',
      description: LONG,
    }),
  ],
  [
    'token_request_refused',
    new client.TokenRequestRefusedError({
      tokenEndpoint: URL_WITH_SECRETS,
      status: 503,
      error: 'invalid_response',
    }),
  ],
  ['unusable_token', new client.UnusableTokenError()],
  ['unusable_token', new client.UnusableTokenError(true)],
];

describe.each(ERRORS)('The error "%s"', (code, error) => {
  it('is known by its class, its name and its code (CLI-01)', () => {
    expect(error).toBeInstanceOf(client.ClientAuthError);
    expect(error).toMatchObject({ code, name: error.constructor.name });
  });

  it('is one sentence on one line, without a stop at its end (CLI-01)', () => {
    expect(error.message).toMatch(/^[\x20-\x7e…]{20,700}[^.]$/);
  });

  it('shows nothing secret of a URL (CLI-10)', () => {
    expect(error.message).not.toMatch(/secret/);
  });
});

describe('The advice of an error', () => {
  const url = 'https://login.example.com/metadata';
  const problem = 'is not as it should be';
  const refusal = { tokenEndpoint: url, error: 'invalid_response' };

  it.each<[string, client.ClientAuthError]>([
    ['a server that fails', new client.DiscoveryFailedError({ url, problem: problem, status: 503 })],
    ['a server that is pressed', new client.DiscoveryFailedError({ url, problem: problem, status: 429 })],
    ['a server that does not answer', new client.NoAnswerError(url, problem)],
    ['a token endpoint that fails', new client.TokenRequestRefusedError({ ...refusal, status: 502 })],
  ])('is to try again later for %s, since that may help (CLI-20)', (_, error) => {
    expect(error.message).toMatch(/try again later/i);
  });

  it.each<[string, client.ClientAuthError]>([
    ['a server without metadata', new client.DiscoveryFailedError({ url, problem: problem, status: 404 })],
    ['metadata that is wrong', new client.DiscoveryFailedError({ url, problem })],
    ['a certificate that is not trusted', new client.NoAnswerError(url, problem, { isPassing: false })],
    ['a token that is refused', new client.TokenRequestRefusedError({ ...refusal, status: 400 })],
  ])('is another for %s (CLI-20)', (_, error) => {
    expect(error.message).not.toMatch(/later/i);
  });
});
