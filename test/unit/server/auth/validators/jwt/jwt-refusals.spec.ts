import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, sign } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, generateSecret } from 'jose';
import { InvalidTokenError } from '../../../../../../lib/server/auth/errors.js';
import type { JwtValidator } from '../../../../../../lib/server/auth/validators/jwt/jwt.validator.js';
import { formatToken, IssuerKey } from '../../../../../support/authorization/issuer-key.js';
import { AUDIENCE, TestIssuer } from '../../../../../support/authorization/issuer.js';
import { accept, createJwtValidator, outcomeOf, refusalOf } from '../../../../support/jwt-validator.js';

const BY_NOBODY = 'its signature does not match any key from the issuer';

const started: TestIssuer[] = [];

let issuer: TestIssuer;
let key: IssuerKey;
let validator: JwtValidator;
let stranger: IssuerKey;

beforeAll(async () => {
  issuer = await startIssuer();
  [key] = issuer.keys as [IssuerKey];
  stranger = await IssuerKey.create('ES256', key.kid);
  validator = createJwtValidator(issuer);
});

afterAll(() => Promise.all(started.map((each) => each.stop())));

async function startIssuer(): Promise<TestIssuer> {
  const another = await TestIssuer.start();
  started.push(another);
  return another;
}

/** The claims of a good token. */
function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
}

describe('A signature (RFC 8725 §3.1)', () => {
  it('is of a key of the issuer (AUTH-04)', async () => {
    await accept(validator, await issuer.token());
    expect(await refusalOf(validator, await issuer.token({}, { key: stranger }))).toBe(BY_NOBODY);
  });

  it('is of this token (AUTH-04) (SAFE-02)', async () => {
    const [header = '', payload = '', signature = ''] = (await issuer.token({ sub: 'ada' })).split('.');
    const [otherHeader = '', otherPayload = ''] = (
      await issuer.token({ sub: 'eve' }, { header: { a: 1 } })
    ).split('.');
    for (const forged of [
      [header, otherPayload, signature],
      [otherHeader, payload, signature],
      [header, payload, ''],
      [header, payload, 'AAAA'],
      [header, payload, Buffer.alloc(64).toString('base64url')],
      [
        header,
        payload,
        `${signature.slice(0, 20)}${signature[20] === 'A' ? 'B' : 'A'}${signature.slice(21)}`,
      ],
    ]) {
      expect(await refusalOf(validator, forged.join('.'))).toBe(BY_NOBODY);
    }
  });

  it.each([
    'none',
    'None',
    'NONE',
    'nOnE',
    '',
    undefined,
    null,
    5,
    ['ES256'],
    'HS256',
    'HS384',
    'HS512',
    'ES256K',
    'es256',
    'RSA-OAEP',
    'dir',
  ])(
    'is by an asymmetric algorithm, not %j, before any key is looked up (AUTH-04) (SAFE-02)',
    async (alg) => {
      const fresh = await startIssuer();
      const claims = claimsOf(await fresh.token());
      for (const signature of ['', 'AAAA']) {
        const token = formatToken({ header: { alg, kid: fresh.keys[0]?.kid }, payload: claims }, signature);
        expect(await refusalOf(createJwtValidator(fresh), token)).toMatch(
          /^"alg" is .*, expected "RS256" or /,
        );
      }
      expect(fresh.requests).toEqual([]);
    },
  );

  it('is not by the public key as a secret (AUTH-04) (SAFE-02)', async () => {
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const secrets = [await exportSPKI(publicKey), JSON.stringify(await exportJWK(publicKey))];
    for (const secret of secrets) {
      const token = await issuer.token({}, { header: { alg: 'HS256' }, secret: Buffer.from(secret) });
      expect(await refusalOf(validator, token)).toContain('"alg" is "HS256"');
    }
  });

  it('is not by a secret that the key set shows (AUTH-04)', async () => {
    const secret = await generateSecret('HS256', { extractable: true });
    const shown = await startIssuer();
    shown.otherKeys = [{ ...(await exportJWK(secret)), kid: 'secret', alg: 'HS256' }];
    const token = await shown.token({}, { header: { alg: 'HS256', kid: 'secret' }, secret });
    expect(await refusalOf(createJwtValidator(shown), token)).toContain('"alg" is "HS256"');
  });

  it('is by one of the algorithms that are configured (AUTH-04)', async () => {
    const token = await issuer.token();
    await accept(createJwtValidator(issuer, { algorithms: ['ES256'] }), token);
    expect(await refusalOf(createJwtValidator(issuer, { algorithms: ['RS256', 'EdDSA'] }), token)).toBe(
      '"alg" is "ES256", expected "RS256" or "EdDSA"',
    );
  });

  it('is not by a key for encryption (AUTH-04)', async () => {
    const other = await IssuerKey.create('RS256');
    const shown = await startIssuer();
    shown.keys = [...shown.keys, other];
    await accept(createJwtValidator(shown), await shown.token({}, { key: other }));
    other.jwk.use = 'enc';
    const token = await shown.token({}, { key: other });
    expect(await refusalOf(createJwtValidator(shown), token)).toContain(`"kid" is "${other.kid}", expected`);
  });

  it('is not by an RSA key that is too short to be safe (AUTH-04)', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const shown = await startIssuer();
    shown.otherKeys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'short' }];
    const header = { alg: 'RS256', kid: 'short' };
    const unsigned = formatToken({ header, payload: claimsOf(await shown.token()) });
    const signature = sign('sha256', Buffer.from(unsigned.slice(0, -1)), privateKey).toString('base64url');
    expect(await refusalOf(createJwtValidator(shown), unsigned + signature)).toContain('2048 bits or larger');
  });

  it.each(['jku', 'x5u'])(
    'is not by a key at "%s" of the token, which is not fetched (AUTH-04) (SAFE-02)',
    async (name) => {
      const evil = await startIssuer();
      const [evilKey] = evil.keys as [IssuerKey];
      const header = { [name]: evil.jwksUrl, kid: evilKey.kid };
      const posing = await issuer.token({}, { key: evilKey, header });
      expect(await refusalOf(createJwtValidator(issuer), posing)).toContain('"kid" is ');
      expect(
        await refusalOf(
          validator,
          await issuer.token({}, { key: stranger, header: { [name]: evil.jwksUrl } }),
        ),
      ).toBe(BY_NOBODY);
      expect(evil.requests).toEqual([]);
    },
  );

  it.each(['jwk', 'x5c'])('is not by a key in "%s" of the token (AUTH-04) (SAFE-02)', async (name) => {
    const header = { [name]: name === 'jwk' ? stranger.jwk : ['MIIB'] };
    expect(await refusalOf(validator, await issuer.token({}, { key: stranger, header }))).toBe(BY_NOBODY);
    await accept(validator, await issuer.token({}, { header }));
  });

  it.each([
    [{ crit: ['b64'], b64: true }, '"crit" is ["b64"], expected none'],
    [{ crit: ['exp'], exp: 1 }, '"crit" is ["exp"], expected none'],
    [{ crit: ['https://desk.example.com/x'], 'https://desk.example.com/x': 1 }, '"crit" is ['],
  ])(
    'does not count with extensions that must be understood: %j (AUTH-04) (SAFE-02)',
    async (header, reason) => {
      expect(await refusalOf(validator, await issuer.token({}, { header }))).toContain(reason);
    },
  );

  it.each([[], 'b64', null, 5])('does not count with %j as "crit" (SAFE-02)', async (crit) => {
    const claims = claimsOf(await issuer.token());
    const token = formatToken({ header: { alg: 'ES256', kid: key.kid, crit }, payload: claims }, 'AAAA');
    expect(await refusalOf(validator, token)).toContain('"crit" is ');
  });

  it.each([5, null, { toString: 'x' }, ['a'], true])(
    'has no key that is named %j (AUTH-04) (SAFE-02)',
    async (kid) => {
      const claims = claimsOf(await issuer.token());
      const token = formatToken({ header: { alg: 'ES256', kid }, payload: claims }, 'AAAA');
      expect(await refusalOf(validator, token)).toContain(', expected a string');
    },
  );

  it.each(['__proto__', 'constructor', '../../keys', "' OR 1=1", '\u0000', 'k'.repeat(5000)])(
    'has no key that a stranger makes a name up for: %# (SAFE-02)',
    async (kid) => {
      const token = await issuer.token({}, { header: { kid } });
      expect(await refusalOf(createJwtValidator(issuer), token)).toMatch(
        /^"kid" is ".{1,205}, expected a key from/,
      );
    },
  );
});

describe('What a token says of itself', () => {
  it.each([
    ['of an audience of others', { aud: 'https://other.example.com' }, {}],
    ['that is over', { exp: 5 }, {}],
    ['for clients', { nonce: 'n' }, { typ: undefined }],
    ['of another type', {}, { typ: 'JWT' }],
  ])('fetches no keys for a token %s (AUTH-12) (SAFE-02)', async (_, claims, header) => {
    const fresh = await startIssuer();
    await refusalOf(createJwtValidator(fresh), await fresh.token(claims, { header }));
    expect(fresh.requests).toEqual([]);
  });

  it.each(['iss', 'aud', 'exp', 'nbf', 'token_use', 'typ', 'sub'])(
    'is refused however deep "%s" is nested (SAFE-02)',
    async (claim) => {
      const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
      const claims = claimsOf(await issuer.token({ [claim]: 0 }));
      const payload = JSON.stringify(claims).replace(`"${claim}":0`, `"${claim}":${deep}`);
      const token = formatToken({ header: { alg: 'ES256', kid: key.kid }, payload }, 'AAAA');
      const outcome = await outcomeOf(validator, token);
      expect('unrecognized' in outcome || outcome instanceof InvalidTokenError).toBe(true);
    },
  );

  it('lets nothing in without a signature (AUTH-04)', async () => {
    const claims = claimsOf(await issuer.token({ aud: AUDIENCE, scope: 'desk:admin' }));
    const token = formatToken({ header: { alg: 'ES256', kid: key.kid, typ: 'at+jwt' }, payload: claims });
    expect(await refusalOf(validator, token)).toBe(BY_NOBODY);
  });

  it('is quoted and cut in a reason, and never the token (AUTH-15) (AUTH-19)', async () => {
    const token = await issuer.token({ aud: `x\n${'y'.repeat(5000)}` });
    const reason = await refusalOf(validator, token);
    expect(reason).toMatch(/^"aud" is "x\\ny+…, expected "https:\/\/desk\.example\.com\/mcp"$/);
    expect(reason.length).toBeLessThan(300);
    for (const part of token.split('.')) expect(reason).not.toContain(part);
  });
});
