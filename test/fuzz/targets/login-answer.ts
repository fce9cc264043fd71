import { ClientAuthError } from '../../../lib/client/authorization/errors.js';
import { parseAuthorizationResponse } from '../../../lib/client/authorization/login/authorization-request.js';
import { assertHolds, parseWith } from '../contract.js';

const ISSUER = 'https://login.example.com';
const STATE = 'the-state-of-this-login';
const REDIRECT = 'http://127.0.0.1:3334/callback';

const ATTEMPT = {
  authorizationServer: { issuer: ISSUER, authorization_response_iss_parameter_supported: true },
  clientId: 'desk-app',
  redirectUri: REDIRECT,
  scopes: [],
  resource: 'https://desk.example.com/mcp',
  url: new URL(ISSUER),
  state: STATE,
  codeVerifier: 'a-verifier',
};

/** Parses where a browser came back from a login. */
export function fuzz(bytes: Buffer): void {
  const query = bytes.toString();
  const known = `state=${STATE}&iss=${encodeURIComponent(ISSUER)}`;
  for (const answer of [query, `${known}&${query}`]) {
    const url = new URL(REDIRECT);
    url.search = answer;
    const parsed = parseWith(() => parseAuthorizationResponse(url, ATTEMPT), ClientAuthError);
    if ('error' in parsed) continue;
    assertHolds(parsed.value.get('code'), 'an answer that is taken has a code');
    assertHolds(
      parsed.value.get('state') === STATE && parsed.value.getAll('state').length === 1,
      'it is of this login',
    );
    assertHolds(parsed.value.get('iss') === ISSUER, 'it is of this issuer');
  }
}
