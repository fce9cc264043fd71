import { describe, expect, it } from '@jest/globals';
import { explainFailure } from '../../../../cli/server/explain-failure.js';
import { LoginRefusedError, TokenRequestRefusedError } from '../../../../lib/client/authorization/index.js';

const ISSUER = 'https://login.example.com';

describe('The fix of a refused login, by the code of the authorization server', () => {
  it.each([
    ['access_denied', /grant the requested access/],
    ['invalid_scope', /"scopes"/],
    ['invalid_target', /as a resource \(an API, an audience\)/],
    ['invalid_request', /"redirectUri"/],
    ['invalid_redirect_uri', /^(?!.*read what).*"redirectUri"/],
    ['redirect_uri_mismatch', /"redirectUri"/],
    ['unauthorized_client', /authorization code grant .* "clientId"/],
    ['invalid_client', /"clientId", "clientSecret"/],
    ['unsupported_response_type', /response type "code"/],
    ['server_error', /try again later/],
    ['temporarily_unavailable', /try again later/],
    ['login_required', /"prompt=none" in "authorizationParameters"/],
    ['interaction_required', /"prompt=none"/],
    ['account_selection_required', /"prompt=none"/],
    ['consent_required', /an administrator consent/],
    ['insufficient_user_authentication', /second factor/],
    ['unmet_authentication_requirements', /second factor/],
    ['request_not_supported', /without PAR/],
    ['request_uri_not_supported', /without PAR/],
    ['invalid_request_uri', /without PAR/],
    ['invalid_request_object', /without PAR/],
    ['invalid_response', /contact the authorization server operator/],
    ['of_another_kind', /look up this code/],
  ])('goes by "%s" (CLI-01)', (code, fix) => {
    const { message } = new LoginRefusedError(ISSUER, code);
    const [said = '', ...advice] = message.split(`"${code}": `);
    expect(said).toBe(`"${ISSUER}" refused the login with `);
    expect(advice.join('')).toMatch(fix);
    expect(code === 'access_denied' || !/grant the requested access/.test(message)).toBe(true);
  });

  it.each([
    ['invalid_scope', '"--scope"', '"scopes"'],
    ['invalid_request', '"--redirect-uri" or "--callback-port"', '"redirectUri"'],
    ['unauthorized_client', '"--client-id"', '"clientId"'],
    ['invalid_client', '"--client-secret-env"', '"clientSecret"'],
    ['login_required', '"--auth-param"', '"authorizationParameters"'],
  ])('names flags at the terminal for "%s" (CLI-01)', (code, flag, option) => {
    const message = explainFailure(new LoginRefusedError(ISSUER, code))?.message ?? '';
    expect(message).toContain(flag);
    expect(message).not.toContain(option);
  });
});

describe('The fix of a refused request for tokens, by its code', () => {
  it.each([
    ['invalid_grant', /log in again, because/],
    ['invalid_client', /"clientSecret"/],
    ['invalid_scope', /"scopes"/],
    ['invalid_target', /an audience/],
    ['invalid_request', /what the client sends/],
    ['unauthorized_client', /this grant for the client/],
    ['unsupported_grant_type', /allow this grant/],
    ['access_denied', /granted access/],
    ['invalid_dpop_proof', /clocks/],
    ['use_dpop_nonce', /newer nonce/],
    ['slow_down', /later/],
    ['server_error', /later/],
    ['of_another_kind', /credentials/],
  ])('goes by "%s" (CLI-01)', (error, fix) => {
    const refusal = { tokenEndpoint: `${ISSUER}/token`, status: 400, error };
    expect(new TokenRequestRefusedError(refusal).message.split('status 400: ')[1]).toMatch(fix);
  });

  it('is to wait wherever the status says so, whatever the code (CLI-20)', () => {
    const refusal = { tokenEndpoint: `${ISSUER}/token`, status: 429, error: 'invalid_request' };
    expect(new TokenRequestRefusedError(refusal).message).toMatch(/try again later$/);
  });
});
