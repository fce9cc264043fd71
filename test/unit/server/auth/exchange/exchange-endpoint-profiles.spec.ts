import { describe, expect, it } from '@jest/globals';
import { EXCHANGE_PROFILES } from '../../../../../lib/server/auth/exchange/exchange-endpoint.js';
import type { RequestedToken } from '../../../../../lib/server/context/token-exchange.js';

const ADA = 'the-token-of-ada';

describe('The profile "on-behalf-of" of Entra ID', () => {
  const { grantType, buildParameters } = EXCHANGE_PROFILES['on-behalf-of'];
  const scopeOf = (wanted: RequestedToken) => buildParameters(ADA, wanted)['scope'];

  it('asks by the grant of an assertion (PEER-05)', () => {
    expect(grantType).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const scopes = ['https://graph.microsoft.com/User.Read', 'offline_access'];
    expect(buildParameters(ADA, { scopes })).toEqual({
      assertion: ADA,
      requested_token_use: 'on_behalf_of',
      scope: 'https://graph.microsoft.com/User.Read offline_access',
    });
  });

  it.each<[string, RequestedToken, string]>([
    ['an API, for all that was consented to', { audience: 'api://billing' }, 'api://billing/.default'],
    [
      'an API by its URL',
      { resource: 'https://billing.example.com' },
      'https://billing.example.com/.default',
    ],
    [
      'an API whose identifier ends with a slash, as Entra ID has it',
      { resource: 'https://management.azure.com/' },
      'https://management.azure.com//.default',
    ],
    [
      'scopes of an API',
      { audience: 'api://billing', scopes: ['read', 'write'] },
      'api://billing/read api://billing/write',
    ],
    [
      'scopes by their full names',
      { audience: 'api://billing', scopes: ['api://billing/read'] },
      'api://billing/read',
    ],
  ])('asks for %s (PEER-05)', (_what, wanted, scope) => {
    expect(scopeOf(wanted)).toBe(scope);
  });

  it('is for one API, and says so where several are named (PEER-05)', () => {
    expect(scopeOf({ audience: ['api://billing'] })).toBe('api://billing/.default');
    expect(() => scopeOf({ audience: ['api://billing', 'api://stock'] })).toThrow('is valid for one API');
  });

  it('says what is missing where no API is named (PEER-05)', () => {
    expect(() => scopeOf({})).toThrow('name it in "audience", such as "api://invoices"');
  });
});
