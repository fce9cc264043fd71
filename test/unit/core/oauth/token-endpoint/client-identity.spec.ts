import { describe, expect, it } from '@jest/globals';
import {
  type ClientAuthenticationMethod,
  type ClientIdentity,
  findIdentityProblem,
  selectAuthenticationMethod,
} from '../../../../../lib/core/oauth/token-endpoint/client-identity.js';

const ID = { clientId: 'desk' };
const SECRET = { clientSecret: 's3cret' };
const KEY = { privateKey: 'PEM' };

describe('findIdentityProblem', () => {
  it.each<ClientIdentity>([
    {},
    ID,
    { ...ID, ...SECRET },
    { ...ID, ...KEY },
    { ...ID, authenticationMethod: 'none' },
    { ...ID, ...SECRET, authenticationMethod: 'client_secret_basic' },
    { ...ID, ...SECRET, authenticationMethod: 'client_secret_post' },
    { ...ID, ...KEY, authenticationMethod: 'private_key_jwt' },
  ])('finds none in %j (CLI-15)', (identity) => {
    expect(findIdentityProblem(identity)).toBeUndefined();
  });

  it('takes a secret or a key, not both (CLI-15)', () => {
    expect(findIdentityProblem({ ...ID, ...SECRET, ...KEY })).toEqual({
      member: 'privateKey',
      problem: 'cannot be combined with "clientSecret": set one of them',
    });
  });

  it.each([
    ['clientSecret', SECRET],
    ['privateKey', KEY],
  ])('asks whose the "%s" is (CLI-15)', (member, identity) => {
    expect(findIdentityProblem(identity)).toEqual({
      member: 'clientId',
      problem: `is required with "${member}": it identifies its owner`,
    });
  });

  it.each([
    ['client_secret_basic', 'clientSecret', KEY],
    ['client_secret_post', 'clientSecret', {}],
    ['private_key_jwt', 'privateKey', SECRET],
  ] as const)('misses, for %s, the "%s" (CLI-15)', (authenticationMethod, member, shown) => {
    expect(findIdentityProblem({ ...ID, ...shown, authenticationMethod })).toEqual({
      member,
      problem: `is required with the authentication method "${authenticationMethod}"`,
    });
  });

  it.each(['client_secret_jwt', 'toString'])('lists the methods where %s is none (CLI-15)', (method) => {
    const identity = { ...ID, authenticationMethod: method as ClientAuthenticationMethod };
    expect(findIdentityProblem(identity)).toEqual({
      member: 'authenticationMethod',
      problem: 'must be one of client_secret_basic, client_secret_post, private_key_jwt, none',
    });
  });
});

describe('selectAuthenticationMethod', () => {
  it.each<[string, ClientIdentity, readonly string[] | undefined]>([
    ['none', {}, undefined],
    ['none', {}, ['client_secret_post']],
    ['private_key_jwt', KEY, ['client_secret_basic']],
    ['client_secret_basic', SECRET, undefined],
    ['client_secret_basic', SECRET, []],
    ['client_secret_basic', SECRET, ['private_key_jwt']],
    ['client_secret_basic', SECRET, ['client_secret_post', 'client_secret_basic']],
    ['client_secret_post', SECRET, ['private_key_jwt', 'client_secret_post']],
    [
      'client_secret_post',
      { ...SECRET, authenticationMethod: 'client_secret_post' },
      ['client_secret_basic'],
    ],
    ['none', { ...KEY, authenticationMethod: 'none' }, undefined],
  ])('selects %s for %j where the server takes %j (CLI-15)', (method, identity, supported) => {
    expect(selectAuthenticationMethod(identity, supported)).toBe(method);
  });
});
