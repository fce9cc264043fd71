import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuthUnavailableError } from '../../../../../../lib/server/auth/errors.js';
import { JwtValidator } from '../../../../../../lib/server/auth/validators/jwt/jwt.validator.js';
import { ASYMMETRIC_ALGORITHMS } from '../../../../../../lib/server/settings/auth/jwt-options.js';
import { IssuerKey } from '../../../../../support/authorization/issuer-key.js';
import { AUDIENCE, TestIssuer } from '../../../../../support/authorization/issuer.js';
import { CapturedLog } from '../../../../support/captured-log.js';
import { passTime, stopClocks } from '../../../../support/clocks.js';
import {
  accept,
  buildJwtSettings,
  createJwtValidator,
  outcomeOf,
  refusalOf,
} from '../../../../support/jwt-validator.js';
import { RecordedSpan } from '../../../../support/recorded-span.js';

let issuer: TestIssuer;

beforeEach(async () => {
  issuer = await TestIssuer.start();
});

afterEach(() => issuer.stop());

describe('JwtValidator (RFC 9068 §4)', () => {
  it('gives the claims of a token that its issuer signed (AUTH-04) (AUTH-10)', async () => {
    const exp = Math.floor(Date.now() / 1000) + 60;
    const token = await issuer.token({ scope: 'desk:read desk:write', exp, iat: 5, team: 'blue' });
    expect(await accept(createJwtValidator(issuer), token)).toEqual({
      isCached: false,
      authentication: {
        method: 'jwt',
        scopes: new Set(['desk:read', 'desk:write']),
        identity: expect.stringMatching(/^[\w-]{43}$/),
        claims: {
          sub: 'ada',
          iss: issuer.url,
          aud: [AUDIENCE],
          scopes: ['desk:read', 'desk:write'],
          clientId: 'desk-app',
          expiresAt: exp,
          extra: { iat: 5, team: 'blue' },
        },
      },
    });
  });

  it.each(ASYMMETRIC_ALGORITHMS)('takes a signature by %s (AUTH-04)', async (algorithm) => {
    issuer.keys = [await IssuerKey.create(algorithm)];
    expect(await accept(createJwtValidator(issuer), await issuer.token())).toMatchObject({ isCached: false });
  });

  it('finds the key among others by its name (AUTH-04)', async () => {
    const added = await Promise.all(
      ['ES256', 'RS256', 'ES256'].map((algorithm) => IssuerKey.create(algorithm)),
    );
    issuer.keys = [...issuer.keys, ...added];
    const validator = createJwtValidator(issuer);
    for (const key of issuer.keys) await accept(validator, await issuer.token({}, { key }));
    expect(issuer.fetches).toBe(1);
  });

  it('tries the keys that fit a token without a name, eight at most (AUTH-04) (SAFE-02)', async () => {
    const keys = await Promise.all(Array.from({ length: 9 }, () => IssuerKey.create()));
    issuer.keys = keys;
    const validator = createJwtValidator(issuer);
    const sign = (key: IssuerKey | undefined) =>
      issuer.token({}, { ...(key && { key }), header: { kid: undefined } });
    await accept(validator, await sign(keys[0]));
    await accept(validator, await sign(keys[7]));
    expect(await refusalOf(validator, await sign(keys[8]))).toBe(
      'its signature does not match any key from the issuer',
    );
    const stranger = await IssuerKey.create();
    expect(await refusalOf(validator, await sign(stranger))).toBe(
      'its signature does not match any key from the issuer',
    );
  });

  it('loses no key to a broken one of the same name (AUTH-04)', async () => {
    const [key] = issuer.keys as [IssuerKey];
    issuer.otherKeys = [
      { ...key.jwk, x: 'AAAA' },
      { kty: 'RSA', kid: key.kid, n: '!', e: '!' },
    ];
    expect(await accept(createJwtValidator(issuer), await issuer.token())).toHaveProperty('authentication');
  });

  it('has no key where the only one cannot be read (AUTH-04)', async () => {
    const [key] = issuer.keys as [IssuerKey];
    issuer.keys = [];
    issuer.otherKeys = [{ ...key.jwk, x: 'AAAA' }];
    const token = await issuer.token({}, { key });
    expect(await refusalOf(createJwtValidator(issuer), token)).toContain(
      `"kid" is "${key.kid}", expected a key`,
    );
  });

  it('finds keys by the issuer where no URL is given (AUTH-04)', async () => {
    const validator = new JwtValidator(buildJwtSettings(issuer));
    await accept(validator, await issuer.token());
    expect(issuer.requests).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
  });

  it('takes tokens of several issuers, each by its own keys (AUTH-06) (AUTH-18)', async () => {
    const other = await TestIssuer.start();
    const validator = new JwtValidator(buildJwtSettings(issuer, { issuer: [issuer.url, other.url] }));
    await accept(validator, await issuer.token());
    await accept(validator, await other.token());
    const posing = await other.token({ iss: issuer.url });
    expect(await outcomeOf(validator, posing)).toBeInstanceOf(AuthUnavailableError);
    await other.stop();
  });

  it('shares what was fetched among issuers whose keys are at one place (AUTH-18)', async () => {
    const validator = createJwtValidator(issuer, { issuer: [issuer.url, 'https://b.example'] });
    await accept(validator, await issuer.token());
    await accept(validator, await issuer.token({ iss: 'https://b.example' }));
    expect(issuer.fetches).toBe(1);
  });

  it.each([
    ['opaque', 'c29tZXRoaW5n'],
    ['of two parts', 'e30.e30'],
    ['of four parts', 'e30.e30.e30.e30'],
    ['encrypted', 'e30.e30.e30.e30.e30'],
    ['of parts that are no JSON', 'abc.def.ghi'],
    ['of parts that are no objects', 'W10.W10.AA'],
    ['of no base64url', 'e30.e3+0.AA'],
    ['padded', 'e30=.e30=.AA'],
    ['with a header alone', 'e30..'],
    ['nothing', ''],
  ])('does not recognize a token that is %s (AUTH-13) (AUTH-18)', (_, token) => {
    expect(createJwtValidator(issuer).validate(token)).toEqual({ unrecognized: 'it is not a JWT' });
  });

  it.each([undefined, 'https://evil.example', 5, null, ['https://a.example']])(
    'does not recognize the issuer %j, and fetches nothing (AUTH-06) (AUTH-18)',
    async (iss) => {
      const shown = iss === undefined ? 'absent' : JSON.stringify(iss);
      expect(createJwtValidator(issuer).validate(await issuer.token({ iss }))).toEqual({
        unrecognized: `"iss" is ${shown}, expected "${issuer.url}"`,
      });
      expect(issuer.requests).toEqual([]);
    },
  );

  it.each(['/', '#', '?', ' '])('takes no issuer for another that ends in %j (AUTH-06)', async (end) => {
    const outcome = createJwtValidator(issuer).validate(await issuer.token({ iss: issuer.url + end }));
    expect(outcome).toHaveProperty('unrecognized');
  });

  it('refuses what no header can hold, before it reads it (SAFE-02)', async () => {
    const validator = createJwtValidator(issuer);
    expect(await refusalOf(validator, 'a'.repeat(16_385))).toBe(
      'it has 16385 characters, expected at most 16384',
    );
    expect(validator.validate('a'.repeat(16_384))).toHaveProperty('unrecognized');
  });

  it('cannot tell while the issuer is away (AUTH-12)', async () => {
    const log = CapturedLog.begin();
    issuer.breakDown();
    expect(await outcomeOf(createJwtValidator(issuer), await issuer.token())).toBeInstanceOf(
      AuthUnavailableError,
    );
    log.release();
  });

  it('looks keys up in a span of its own, where there is one (TRACE-02)', async () => {
    const span = new RecordedSpan();
    const [key] = issuer.keys as [IssuerKey];
    const validator = createJwtValidator(issuer);
    await validator.validate(await issuer.token(), span);
    await validator.validate(await issuer.token({}, { header: { kid: undefined } }), span);
    expect(span.children).toEqual([
      { name: 'auth.jwks_lookup', attributes: { 'mcp.auth.jwks.kid': key.kid } },
      { name: 'auth.jwks_lookup', attributes: { 'mcp.auth.jwks.kid': '' } },
    ]);
  });

  it('cuts what a stranger names in a span (TRACE-02) (SAFE-02)', async () => {
    const span = new RecordedSpan();
    const token = await issuer.token({}, { header: { kid: 'k'.repeat(5000) } });
    await expect(createJwtValidator(issuer).validate(token, span)).rejects.toThrow('"kid" is');
    expect(String(span.children[0]?.attributes['mcp.auth.jwks.kid'])).toHaveLength(200);
  });
});

describe('JwtValidator: a key that replaces another', () => {
  const JWKS = { cooldownMs: 1000 };

  beforeEach(() => stopClocks());

  afterEach(() => void jest.useRealTimers());

  /** Puts a key in the place of the issuer's, both by one name, and gives a token of the new one. */
  async function replace(kid: string | undefined): Promise<string> {
    const fresh = await IssuerKey.create('ES256', kid);
    if (kid === undefined) delete fresh.jwk.kid;
    issuer.keys = [fresh];
    return issuer.token({}, { header: { kid } });
  }

  it.each(['issuer-key', undefined])(
    'by the name %j is taken as soon as keys may be fetched again (AUTH-12) (FAIR-07)',
    async (kid) => {
      const validator = createJwtValidator(issuer, { jwks: JWKS });
      await accept(validator, await replace(kid));
      const token = await replace(kid);
      expect(await refusalOf(validator, token)).toBe('its signature does not match any key from the issuer');
      passTime(JWKS.cooldownMs);
      expect(await accept(validator, token)).toMatchObject({ isCached: false });
      expect(issuer.fetches).toBe(2);
    },
  );

  it('is taken of all tokens that come at the same time, by one fetch (AUTH-12)', async () => {
    const validator = createJwtValidator(issuer, { jwks: JWKS });
    await accept(validator, await replace('issuer-key'));
    const first = await replace('issuer-key');
    const others = await Promise.all(['ben', 'eve'].map((sub) => issuer.token({ sub })));
    passTime(JWKS.cooldownMs);
    const taken = await Promise.all([first, ...others].map((token) => accept(validator, token)));
    expect(taken.map(({ authentication }) => authentication.claims.sub)).toEqual(['ada', 'ben', 'eve']);
    expect(issuer.fetches).toBe(2);
  });

  it('is not looked for by forged tokens more often than by unknown keys (AUTH-12) (SAFE-02)', async () => {
    const validator = createJwtValidator(issuer, { jwks: JWKS });
    await accept(validator, await replace('issuer-key'));
    const stranger = await IssuerKey.create();
    for (const fetches of [2, 3]) {
      passTime(JWKS.cooldownMs);
      for (const sub of ['ben', 'eve']) {
        const forged = await issuer.token({ sub }, { key: stranger, header: { kid: 'issuer-key' } });
        expect(await refusalOf(validator, forged)).toBe(
          'its signature does not match any key from the issuer',
        );
      }
      expect(issuer.fetches).toBe(fetches);
    }
  });
});
