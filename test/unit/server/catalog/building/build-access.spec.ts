import { describe, expect, it } from '@jest/globals';
import { buildAccess } from '../../../../../lib/server/catalog/building/build-access.js';
import { CatalogError } from '../../../../../lib/server/catalog/catalog.error.js';
import type { AccessOptions } from '../../../../../lib/server/settings/handler-options.interface.js';

const NO_SCOPES =
  'The option "requiredScopes" must be an array of scopes such as "desk:write", without spaces, of templates such as "desk:{id}:write", or of functions that return scopes';

describe('buildAccess', () => {
  it.each<[AccessOptions]>([[{}], [{ requiredScopes: [] }], [{ isPublic: false }]])(
    'gives nothing where nothing is said: %j (STEP-06)',
    (options) => {
      expect(buildAccess(options)).toStrictEqual({});
    },
  );

  it.each<[AccessOptions, object]>([
    [{ requiredScopes: ['b', 'a', 'b'] }, { scopes: ['b', 'a'], isPublic: false }],
    [
      { requiredScopes: ['a'], isPublic: false },
      { scopes: ['a'], isPublic: false },
    ],
    [{ isPublic: true }, { scopes: [], isPublic: true }],
    [
      { isPublic: true, requiredScopes: [] },
      { scopes: [], isPublic: true },
    ],
  ])('makes of %j %j (STEP-06)', (options, access) => {
    expect(buildAccess(options)).toStrictEqual({ access });
  });

  it.each([['a b'], ['a', ''], ['a"'], [7], [undefined], 'desk:write', { 0: 'a' }, null, true])(
    'refuses the scopes %j (STEP-01)',
    (requiredScopes) => {
      expect(() => buildAccess({ requiredScopes: requiredScopes as string[] })).toThrow(
        CatalogError.invalid(NO_SCOPES),
      );
    },
  );

  it.each(['yes', 1, null])('refuses to be public %j (STEP-06)', (isPublic) => {
    expect(() => buildAccess({ isPublic: isPublic as unknown as boolean })).toThrow(
      CatalogError.invalid('The option "isPublic" must be true or false'),
    );
  });

  it('refuses what is public and requires scopes, and says what to do (STEP-06)', () => {
    expect(() => buildAccess({ isPublic: true, requiredScopes: ['a'] })).toThrow(
      CatalogError.invalid(
        'It cannot be public and require scopes: remove @Public() or @RequireScope() ("isPublic" or "requiredScopes")',
      ),
    );
  });
});
