import { describe, expect, it } from '@jest/globals';
import { buildClientMetadata } from '../../../../../lib/client/authorization/registration/dynamic-registration.js';

const CLIENT = { clientName: 'Desk of Ada', redirectUri: 'http://127.0.0.1:4711/callback' };
const SERVER = { issuer: 'https://login.example.com' };

describe('What a client registers with (RFC 7591 §2)', () => {
  it.each([
    ['http://127.0.0.1:4711/callback', 'native'],
    ['http://[::1]:4711/callback', 'native'],
    ['http://localhost:4711/callback', 'native'],
    ['com.example.app:/callback', 'native'],
    ['https://app.example.com/callback', 'web'],
  ])('tells by %s that it is "%s" (CLI-06)', (redirectUri, type) => {
    expect(buildClientMetadata({ ...CLIENT, redirectUri }, SERVER)).toMatchObject({
      redirect_uris: [redirectUri],
      application_type: type,
    });
  });

  it.each([
    [undefined, 'none'],
    [['client_secret_post', 'client_secret_basic', 'none'], 'none'],
    [['private_key_jwt', 'client_secret_post'], 'client_secret_post'],
    [['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
    [['private_key_jwt'], 'none'],
  ])('shows who it is in a way that the server takes: %j (CLI-06)', (methods, method) => {
    const server = { ...SERVER, ...(methods && { token_endpoint_auth_methods_supported: methods }) };
    expect(buildClientMetadata(CLIENT, server)).toMatchObject({ token_endpoint_auth_method: method });
  });

  it('wants refresh tokens where there are such (CLI-06) (CLI-14)', () => {
    const grants = (server: object) => buildClientMetadata(CLIENT, { ...SERVER, ...server })['grant_types'];
    expect(grants({})).toEqual(['authorization_code', 'refresh_token']);
    expect(grants({ grant_types_supported: ['authorization_code'] })).toEqual(['authorization_code']);
  });

  it('names no scope, to which it would be held (CLI-06) (CLI-11)', () => {
    expect(buildClientMetadata(CLIENT, SERVER)).not.toHaveProperty('scope');
  });
});
