import { describe, expect, it } from '@jest/globals';
import {
  assertIdentifier,
  buildBaseUrl,
  idp,
} from '../../../../../lib/server/auth/identity-providers/idp.js';
import { McpConfigurationError } from '../../../../../lib/server/settings/mcp-configuration.error.js';

describe('buildBaseUrl', () => {
  it.each([
    ['login.example.com', 'https://login.example.com'],
    ['login.example.com/', 'https://login.example.com'],
    ['login.example.com:8443/auth', 'https://login.example.com:8443/auth'],
    ['https://login.example.com', 'https://login.example.com'],
    ['https://login.example.com//', 'https://login.example.com'],
    ['https://login.example.com/auth/', 'https://login.example.com/auth'],
    ['http://localhost:8080/', 'http://localhost:8080'],
  ])('makes a URL without a slash at its end of %s (AUTH-17)', (given, url) => {
    expect(buildBaseUrl('idp.desk.domain', given)).toBe(url);
  });

  it('leaves it to the option "auth" whether "http" is allowed where a provider is in a network (PEER-04)', () => {
    expect(buildBaseUrl('idp.desk.url', 'http://keycloak:8080/', true)).toBe('http://keycloak:8080');
    expect(() => buildBaseUrl('idp.desk.url', 'ftp://keycloak', true)).toThrow(McpConfigurationError);
  });

  it.each([
    'http://login.example.com',
    'ftp://login.example.com',
    'https://login.example.com?tenant=a',
    'https://login.example.com/#a',
    'https://',
    'log in.example.com',
    '',
  ])('refuses %p (AUTH-17)', (given) => {
    const build = () => buildBaseUrl('idp.desk.domain', given);
    expect(build).toThrow(McpConfigurationError);
    expect(build).toThrow(
      expect.objectContaining({
        option: 'idp.desk.domain',
        message:
          'The MCP option "idp.desk.domain" must be a host name or an "https:" URL, such as "https://login.example.com"',
      }),
    );
  });
});

describe('assertIdentifier', () => {
  const form = { pattern: /^[a-z]+$/, expected: 'must be a word, such as "desk"' };

  it('takes what is of the form (AUTH-17)', () => {
    expect(() => assertIdentifier('idp.desk.realm', 'desk', form)).not.toThrow();
  });

  it('says what is expected of anything else (AUTH-17)', () => {
    const check = () => assertIdentifier('idp.desk.realm', 'desk/1', form);
    expect(check).toThrow(McpConfigurationError);
    expect(check).toThrow(
      expect.objectContaining({
        option: 'idp.desk.realm',
        message: 'The MCP option "idp.desk.realm" must be a word, such as "desk"',
      }),
    );
  });
});

describe('idp', () => {
  it('has a preset for each provider (AUTH-17)', () => {
    expect(Object.keys(idp).toSorted()).toEqual(['auth0', 'cognito', 'entra', 'keycloak', 'okta', 'workos']);
  });
});
