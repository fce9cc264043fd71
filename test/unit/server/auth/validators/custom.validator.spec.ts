import { describe, expect, it } from '@jest/globals';
import { AuthUnavailableError, InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { CustomValidator } from '../../../../../lib/server/auth/validators/custom.validator.js';
import type { GivenClaims } from '../../../../../lib/core/oauth/access-token.js';

const giving = (given: unknown) =>
  new CustomValidator({ validate: async () => given as GivenClaims | undefined });

/** What would make one caller of all whom an application does not name, or let a token last for ever. */
const UNNAMED = [
  { sub: null },
  { sub: '' },
  { sub: 42 },
  { iss: null },
  { clientId: '' },
  { expiresAt: 'soon' },
];

describe('CustomValidator', () => {
  it("gives what the application's validator makes of a token (AUTH-13)", async () => {
    const asked: string[] = [];
    const validator = new CustomValidator({
      validate: (token) => {
        asked.push(token);
        return { sub: 'ada', scopes: ['desk:read'] };
      },
    });
    expect(await validator.validate('key')).toEqual({
      isCached: false,
      authentication: {
        method: 'custom',
        claims: { sub: 'ada', aud: [], scopes: ['desk:read'], extra: {} },
        scopes: new Set(['desk:read']),
        identity: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(asked).toEqual(['key']);
  });

  it('asks each time: what it knows the application keeps (AUTH-13)', async () => {
    let count = 0;
    const validator = new CustomValidator({ validate: () => ({ sub: `${(count += 1)}` }) });
    await validator.validate('key');
    expect(await validator.validate('key')).toMatchObject({ authentication: { claims: { sub: '2' } } });
  });

  it.each([undefined, null])(
    'does not recognize a token for which it gives %j (AUTH-13) (AUTH-18)',
    async (given) => {
      expect(await giving(given).validate('key')).toEqual({
        unrecognized: "the application's validator does not recognize it",
      });
    },
  );

  it.each([true, false, 'ada', 5, '', [], { scopes: 'desk:read' }, ...UNNAMED])(
    'fails by %j, which is no claims (AUTH-13)',
    async (given) => {
      await expect(giving(given).validate('key')).rejects.toThrow(/^the application's validator returned /);
    },
  );

  it('refuses what it says is over (AUTH-05) (AUTH-13)', async () => {
    const expiresAt = Math.floor(Date.now() / 1000);
    await expect(giving({ sub: 'ada', expiresAt }).validate('key')).rejects.toThrow(InvalidTokenError);
    expect(await giving({ sub: 'ada', expiresAt: expiresAt + 60 }).validate('key')).toMatchObject({
      authentication: { claims: { expiresAt: expiresAt + 60 } },
    });
  });

  it.each([new InvalidTokenError('it was revoked'), new AuthUnavailableError('the keys are away')])(
    'passes on what it throws: %s (AUTH-13)',
    async (error) => {
      const later = async (): Promise<GivenClaims> => {
        throw error;
      };
      const atOnce = () => {
        throw error;
      };
      for (const validate of [later, atOnce]) {
        await expect(new CustomValidator({ validate }).validate('key')).rejects.toBe(error);
      }
    },
  );

  it('tells callers apart, whom it names or not (AUTH-10) (AUTH-13)', async () => {
    const identityOf = async (given: GivenClaims, token: string) => {
      const outcome = await giving(given).validate(token);
      return 'authentication' in outcome ? outcome.authentication.identity : undefined;
    };
    expect(await identityOf({ sub: 'ada' }, 'a')).toBe(await identityOf({ sub: 'ada' }, 'b'));
    // Many users may have the same client.
    expect(await identityOf({ clientId: 'ada' }, 'a')).not.toBe(await identityOf({ clientId: 'ada' }, 'b'));
    const identities = await Promise.all([
      identityOf({ sub: 'ada' }, 'a'),
      identityOf({ sub: 'ada', iss: 'https://a.example' }, 'a'),
      identityOf({}, 'a'),
      identityOf({}, 'b'),
    ]);
    expect(new Set(identities).size).toBe(4);
  });
});
