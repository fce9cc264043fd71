import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InvalidTokenError } from '../../../../../../lib/server/auth/errors.js';
import type { JwtValidator } from '../../../../../../lib/server/auth/validators/jwt/jwt.validator.js';
import { IssuerKey } from '../../../../../support/authorization/issuer-key.js';
import { TestIssuer } from '../../../../../support/authorization/issuer.js';
import { CapturedLog } from '../../../../support/captured-log.js';
import { correctClock, passTime, stopClocks } from '../../../../support/clocks.js';
import { accept, createJwtValidator, outcomeOf } from '../../../../support/jwt-validator.js';

const TTL_MS = 60_000;
const COOLDOWN_MS = 30_000;

let issuer: TestIssuer;
let validator: JwtValidator;
let log: CapturedLog;

beforeEach(async () => {
  log = CapturedLog.begin();
  issuer = await TestIssuer.start();
  validator = createJwtValidator(issuer);
  stopClocks();
});

afterEach(async () => {
  jest.useRealTimers();
  log.release();
  await issuer.stop();
});

describe('The cache of JwtValidator', () => {
  it('gives a validated token at once, the same for every request (AUTH-11)', async () => {
    const token = await issuer.token();
    const first = await accept(validator, token);
    const second = validator.validate(token);
    expect(second).toEqual({ authentication: first.authentication, isCached: true });
    expect(validator.validate(token)).toBe(second);
  });

  it('keeps a token for a minute where nothing is said (AUTH-11)', async () => {
    const token = await issuer.token();
    await accept(validator, token);
    passTime(TTL_MS - 1);
    expect(validator.validate(token)).toMatchObject({ isCached: true });
    passTime(1);
    expect(await accept(validator, token)).toMatchObject({ isCached: false });
  });

  it('keeps nothing where it is off (AUTH-11)', async () => {
    validator = createJwtValidator(issuer, { cacheTtlMs: 0 });
    const token = await issuer.token();
    await accept(validator, token);
    expect(await accept(validator, token)).toMatchObject({ isCached: false });
  });

  it('refuses a kept token as soon as it is over and the tolerance too (AUTH-05) (AUTH-11)', async () => {
    const token = await issuer.token({ exp: Math.floor(Date.now() / 1000) + 30 });
    await accept(validator, token);
    passTime(30_000);
    expect(await accept(validator, token)).toMatchObject({ isCached: false });
    expect(await accept(validator, token)).toMatchObject({ isCached: false });
    passTime(5_000);
    expect(await outcomeOf(validator, token)).toBeInstanceOf(InvalidTokenError);
  });

  it('refuses a kept token where the clock is set to after its end (AUTH-05) (AUTH-11)', async () => {
    const token = await issuer.token();
    await accept(validator, token);
    correctClock(3_600_000);
    expect(await outcomeOf(validator, token)).toBeInstanceOf(InvalidTokenError);
    correctClock(-3_600_000);
    expect(await accept(validator, token)).toMatchObject({ isCached: false });
  });

  it('keeps no refusal: a token counts as soon as its key is there (AUTH-11) (AUTH-12)', async () => {
    const key = await IssuerKey.create();
    const token = await issuer.token({}, { key });
    expect(await outcomeOf(validator, token)).toBeInstanceOf(InvalidTokenError);
    issuer.keys = [key];
    passTime(COOLDOWN_MS);
    expect(await accept(validator, token)).toMatchObject({ isCached: false });
  });

  it('serves kept tokens while the issuer is away, whatever else is asked (AUTH-11) (AUTH-12)', async () => {
    const token = await issuer.token();
    await accept(validator, token);
    issuer.breakDown();
    passTime(COOLDOWN_MS);
    const unknown = await issuer.token({}, { key: await IssuerKey.create() });
    expect(await outcomeOf(validator, unknown)).toMatchObject({
      name: 'AuthUnavailableError',
      retryAfterSeconds: 1,
    });
    expect(validator.validate(token)).toMatchObject({ isCached: true });
  });

  it('serves kept tokens through a storm of unknown keys, which fetches once (AUTH-11) (AUTH-12)', async () => {
    const token = await issuer.token();
    await accept(validator, token);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const decoded = JSON.parse(Buffer.from(header, 'base64url').toString()) as object;
    const storm = Array.from({ length: 2_000 }, (_, kid) => {
      const named = JSON.stringify({ ...decoded, kid: `${kid}` });
      return [Buffer.from(named).toString('base64url'), payload, signature].join('.');
    });
    passTime(COOLDOWN_MS);
    const outcomes = storm.map((each) => outcomeOf(validator, each));
    expect(validator.validate(token)).toMatchObject({ isCached: true });
    for (const outcome of await Promise.all(outcomes)) expect(outcome).toBeInstanceOf(InvalidTokenError);
    expect(validator.validate(token)).toMatchObject({ isCached: true });
    expect(issuer.fetches).toBe(2);
  });

  it('looks a key up once for all who bring the same token (AUTH-11)', async () => {
    const token = await issuer.token();
    const accepted = await Promise.all(Array.from({ length: 20 }, () => accept(validator, token)));
    expect(new Set(accepted.map(({ authentication }) => authentication)).size).toBe(1);
  });

  it('can be cleared, and then looks whether the key is still there (AUTH-11)', async () => {
    const token = await issuer.token();
    await accept(validator, token);
    passTime(COOLDOWN_MS);
    validator.clear();
    expect(await accept(validator, token)).toMatchObject({ isCached: false });
    expect(issuer.fetches).toBe(2);
    await issuer.rotate();
    passTime(COOLDOWN_MS);
    expect(validator.validate(token)).toMatchObject({ isCached: true });
    validator.clear();
    expect(await outcomeOf(validator, token)).toBeInstanceOf(InvalidTokenError);
  });
});
