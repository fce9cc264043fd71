import { describe, expect, it } from '@jest/globals';
import {
  ClientCredentialsTokenSource,
  createAuthorizedFetch,
  EnterpriseManagedTokenSource,
  OAuthTokenSource,
  StaticTokenSource,
  WorkloadIdentityTokenSource,
} from '../../../../lib/client/authorization/index.js';

const serverUrl = 'https://desk.example.com/mcp';
const CLIENT = { serverUrl, clientId: 'night-job', clientSecret: 'secret' };
const identityProvider = { ...{ clientId: 'a', clientSecret: 'b' }, issuer: 'https://sso.example.org' };

/** Creates each source with what it needs, and with what is given. */
const SOURCES: Readonly<Record<string, (given: object) => unknown>> = {
  OAuthTokenSource: (given) => new OAuthTokenSource({ serverUrl, ...given }),
  ClientCredentialsTokenSource: (given) => new ClientCredentialsTokenSource({ ...CLIENT, ...given }),
  WorkloadIdentityTokenSource: (given) =>
    new WorkloadIdentityTokenSource({ serverUrl, assertion: 'a.b.c', ...given }),
  EnterpriseManagedTokenSource: (given) =>
    new EnterpriseManagedTokenSource({ ...CLIENT, identityProvider, subjectToken: 'token', ...given }),
};

describe.each(Object.entries(SOURCES))('%s', (_name, create) => {
  it('takes its options, and those that are undefined', () => {
    expect(() => create({ scopes: ['desk:read'], timeoutMs: undefined })).not.toThrow();
  });

  it('names an option that it does not know, and the one that was meant (MOD-11)', () => {
    expect(() => create({ timeout: 5 })).toThrow(
      'The "timeout" (did you mean "timeoutMs"?) is not a known option',
    );
  });

  it.each([
    [{ timeoutMs: 0 }, 'The "timeoutMs" must be a whole number greater than 0'],
    [{ scopes: 'desk:read' }, 'The "scopes" must be an array'],
    [{ ignoreIssuerSlash: 'true' }, 'The "ignoreIssuerSlash" must be true or false'],
    [{ dpop: 'required' }, 'The "dpop" must be true, false or a "DpopKey"'],
    [{ insecureHosts: ['http://desk'] }, 'The "insecureHosts" must be an array of hosts'],
    [{ serverUrl: undefined }, 'The "serverUrl" must be a non-empty string'],
  ])('refuses %j (MOD-11)', (given, message) => {
    expect(() => create(given)).toThrow(message);
    expect(() => create(given)).toThrow(TypeError);
  });
});

describe('EnterpriseManagedTokenSource', () => {
  it('names a member of its identity provider (MOD-11)', () => {
    const create = SOURCES['EnterpriseManagedTokenSource'];
    expect(() => create?.({ identityProvider: { ...identityProvider, isuer: 'x' } })).toThrow(
      'The "identityProvider.isuer" (did you mean "identityProvider.issuer"?)',
    );
    expect(() => create?.({ identityProvider: undefined })).toThrow(
      'The "identityProvider" must be an object',
    );
  });
});

describe('createAuthorizedFetch', () => {
  const tokenSource = new StaticTokenSource('a-token-of-the-desk');

  it('names an option that it does not know (MOD-11)', () => {
    const options = { serverUrl, tokenSource, maxResponseByte: 5 };
    expect(() => createAuthorizedFetch(options)).toThrow('did you mean "maxResponseBytes"?');
    expect(() => createAuthorizedFetch({ serverUrl, tokenSource })).not.toThrow();
  });
});
