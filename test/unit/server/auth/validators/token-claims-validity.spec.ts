import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { assertAudience, assertTimes } from '../../../../../lib/server/auth/validators/token-claims.js';
import { InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { buildAuthSettings } from '../../../../../lib/server/settings/auth/auth-options.js';
import { AUDIENCE } from '../../../../support/authorization/issuer.js';
import { stopClocks } from '../../../support/clocks.js';

const NOW = 1_800_000_000;

describe('assertTimes (RFC 7519 §4.1.4, §4.1.5)', () => {
  beforeEach(() => {
    stopClocks();
    jest.setSystemTime(NOW * 1000);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    [{ exp: NOW + 1 }, 0],
    [{ exp: NOW + 0.5 }, 0],
    [{ exp: NOW - 4 }, 5],
    [{ exp: NOW - 59 }, 60],
    [{ exp: NOW + 60, nbf: NOW }, 0],
    [{ exp: NOW + 60, nbf: NOW + 5 }, 5],
    [{ exp: NOW + 60, nbf: 0 }, 5],
  ])('lets %j pass with a tolerance of %d seconds (AUTH-05)', (claims, tolerance) => {
    expect(() => assertTimes(claims, tolerance)).not.toThrow();
  });

  it.each([
    [{ exp: NOW }, 0, `"exp" is ${NOW}, which was 0 seconds ago`],
    [{ exp: NOW - 5 }, 5, `"exp" is ${NOW - 5}, which was 5 seconds ago`],
    [{ exp: NOW - 6 }, 5, `"exp" is ${NOW - 6}, which was 6 seconds ago`],
    [{ exp: 0 }, 5, `"exp" is 0, which was ${NOW} seconds ago`],
    [{ exp: -1 }, 5, '"exp" is -1, which was'],
    [{ exp: NOW + 60, nbf: NOW + 1 }, 0, `"nbf" is ${NOW + 1}, which is in 1 seconds: check that`],
    [{ exp: NOW + 60, nbf: NOW + 6 }, 5, `"nbf" is ${NOW + 6}, which is in 6 seconds: check that`],
  ])('refuses %j with a tolerance of %d seconds (AUTH-05) (AUTH-19)', (claims, tolerance, reason) => {
    expect(() => assertTimes(claims, tolerance)).toThrow(reason);
  });

  it.each(['"1900000000"', 'null', 'true', '{}', '[1900000000]', '1e999', '-1e999', '""'])(
    'takes no %s for a time (AUTH-05) (SAFE-02)',
    (json) => {
      const value: unknown = JSON.parse(json);
      expect(() => assertTimes({ exp: value }, 5)).toThrow(InvalidTokenError);
      expect(() => assertTimes({ exp: NOW + 60, nbf: value }, 5)).toThrow(/"nbf" is .*, expected a number/);
    },
  );

  it('needs to know when a token ends (AUTH-05)', () => {
    expect(() => assertTimes({}, 5)).toThrow('"exp" is absent, expected a number');
  });

  it('takes five seconds between two clocks for granted where nothing is said (AUTH-05)', () => {
    const [settings] = buildAuthSettings({ jwt: {} }).jwt;
    expect(settings?.clockToleranceSeconds).toBe(5);
  });
});

describe('assertAudience (RFC 7519 §4.1.3)', () => {
  const check = (aud: unknown, { audiences = [AUDIENCE], audienceClaim = 'aud' } = {}) =>
    assertAudience({ [audienceClaim]: aud }, { audiences, audienceClaim });

  it.each([
    [AUDIENCE],
    [[AUDIENCE]],
    [['a', 'b', AUDIENCE]],
    [`${AUDIENCE}/`],
    [['a', 'HTTPS://Desk.example.com/mcp']],
  ])('lets %j pass (AUTH-07)', (aud) => {
    expect(() => check(aud)).not.toThrow();
  });

  it.each([
    ['https://desk.example.com'],
    ['https://desk.example.com/mcp/admin'],
    ['https://desk.example.com.evil.example/mcp'],
    [`x ${AUDIENCE}`],
    [`${AUDIENCE} https://other.example.com`],
    [`${AUDIENCE},https://other.example.com`],
    [''],
    [undefined],
    [null],
    [5],
    [true],
    [{ value: AUDIENCE }],
    [{ [AUDIENCE]: true }],
    [[]],
    [[[AUDIENCE]]],
    [[AUDIENCE, 5]],
    [[AUDIENCE, null]],
    [[{ value: AUDIENCE }]],
    [['a', 'b']],
  ])('refuses %j (AUTH-07) (SAFE-02)', (aud) => {
    expect(() => check(aud)).toThrow(InvalidTokenError);
  });

  it('takes one of several audiences (AUTH-07)', () => {
    const audiences = [AUDIENCE, 'api://desk'];
    expect(() => check('api://desk', { audiences })).not.toThrow();
    expect(() => check(['x', AUDIENCE], { audiences })).not.toThrow();
    expect(() => check('api://other', { audiences })).toThrow(
      `"aud" is "api://other", expected "${AUDIENCE}" or "api://desk"`,
    );
  });

  it('lets nothing pass where nothing is expected (AUTH-07)', () => {
    expect(() => check('', { audiences: [] })).toThrow(InvalidTokenError);
  });

  it('reads the claim that is configured alone (AUTH-07)', () => {
    expect(() => check('desk', { audienceClaim: 'client_id', audiences: ['desk'] })).not.toThrow();
    const places = { audienceClaim: 'client_id', audiences: ['desk'] };
    expect(() => assertAudience({ aud: 'desk' }, places)).toThrow('"client_id" is absent, expected "desk"');
  });

  it.each([[undefined], [null], [''], [[]]])(
    'takes %j of a client that is listed, by whatever claim it is named (PEER-04)',
    (aud) => {
      const settings = { audiences: [AUDIENCE], audienceClaim: 'aud', clientsWithoutAudience: ['desk'] };
      for (const claim of ['client_id', 'azp', 'appid', 'cid']) {
        expect(() => assertAudience({ aud, [claim]: 'desk' }, settings)).not.toThrow();
      }
      expect(() => assertAudience({ aud, client_id: 'other', azp: 'desk' }, settings)).toThrow('"aud" is');
      expect(() => assertAudience({ aud }, settings)).toThrow('list the clients in');
    },
  );

  it('takes any client that the claim of the standard names, where all are listed (PEER-04)', () => {
    const settings = { audiences: [AUDIENCE], audienceClaim: 'aud', clientsWithoutAudience: ['*'] };
    expect(() => assertAudience({ client_id: 'anybody' }, settings)).not.toThrow();
    expect(() => assertAudience({ azp: 'https://app.example.com' }, settings)).toThrow('"aud" is absent');
    expect(() => assertAudience({}, settings)).toThrow('"aud" is absent');
  });

  it.each([['other'], [['other', 'more']], [5], [{}]])(
    'refuses %j whichever clients are listed (PEER-04)',
    (aud) => {
      const settings = { audiences: [AUDIENCE], audienceClaim: 'aud', clientsWithoutAudience: ['desk'] };
      expect(() => assertAudience({ aud, client_id: 'desk' }, settings)).toThrow(InvalidTokenError);
    },
  );

  it('looks at 256 audiences at most (SAFE-02)', () => {
    const many = (count: number) => [...Array.from({ length: count }, () => 'https://a.example'), AUDIENCE];
    expect(() => check(many(255))).not.toThrow();
    expect(() => check(many(256))).toThrow(InvalidTokenError);
  });
});
