import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuthUnavailableError, InvalidTokenError } from '../../../../../../lib/server/auth/errors.js';
import { IntrospectionValidator } from '../../../../../../lib/server/auth/validators/introspection/introspection.validator.js';
import type { Outcome, Validated } from '../../../../../../lib/server/auth/validators/validator.interface.js';
import type { IntrospectionOptions } from '../../../../../../lib/server/settings/auth/introspection-options.js';
import { until } from '../../../../../support/until.js';
import { CapturedLog } from '../../../../support/captured-log.js';
import { stopClocks } from '../../../../support/clocks.js';
import { IntrospectionServer, RESOURCE } from '../../../../support/introspection-server.js';

const TOKEN = 'an-opaque-token-of-ada';

let server: IntrospectionServer;

beforeEach(async () => {
  server = await IntrospectionServer.start();
});

afterEach(() => server.stop());

function createValidator(options?: Partial<IntrospectionOptions>): IntrospectionValidator {
  return new IntrospectionValidator(server.settings(options));
}

async function validate(answer: object, options?: Partial<IntrospectionOptions>): Promise<Outcome> {
  server.know(TOKEN, answer);
  return createValidator(options).validate(TOKEN);
}

async function accept(answer: object, options?: Partial<IntrospectionOptions>): Promise<Validated> {
  const outcome = await validate(answer, options);
  if ('unrecognized' in outcome) throw new Error(outcome.unrecognized);
  return outcome;
}

function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

describe('IntrospectionValidator: the answer (RFC 7662 §2.2)', () => {
  it('gives who a token stands for, by the claims that a JWT would have (AUTH-13, AUTH-10)', async () => {
    const exp = inSeconds(60);
    const { authentication, isCached } = await accept({
      iss: server.url,
      sub: 'ada',
      aud: [RESOURCE, 'https://mail.example.com'],
      scope: 'desk:read desk:write',
      exp,
      nbf: inSeconds(-60),
      token_type: 'Bearer',
      username: 'ada@example.com',
      department: 'engines',
    });
    expect(isCached).toBe(false);
    expect(authentication).toMatchObject({
      method: 'introspection',
      scopes: new Set(['desk:read', 'desk:write']),
    });
    expect(authentication.claims).toEqual({
      iss: server.url,
      sub: 'ada',
      aud: [RESOURCE, 'https://mail.example.com'],
      scopes: ['desk:read', 'desk:write'],
      clientId: 'desk-app',
      expiresAt: exp,
      extra: { nbf: expect.any(Number), username: 'ada@example.com', department: 'engines' },
    });
  });

  it('does not recognize a token that is not active, whatever else the answer says (AUTH-13)', async () => {
    expect(await validate({ active: false })).toEqual({
      unrecognized: expect.stringContaining('not active'),
    });
  });

  it('takes the server that answered for the issuer where the answer names none (AUTH-13)', async () => {
    const { authentication } = await accept({ iss: undefined });
    expect(authentication.claims.iss).toBe(server.url);
  });

  it.each<[string, object, RegExp]>([
    ['without an audience', { aud: undefined }, /"aud" is absent/],
    ['for another resource', { aud: 'https://mail.example.com' }, /"aud" is "https:\/\/mail/],
    ['for other resources', { aud: ['https://mail.example.com', 'desk'] }, /"aud" is \[/],
    ['for a list within a list', { aud: [[RESOURCE]] }, /"aud" is \[\[/],
    ['for an object', { aud: { 0: RESOURCE } }, /"aud" is \{/],
    ['for nobody', { aud: [] }, /"aud" is \[\]/],
    ['of another issuer', { iss: 'https://other.example.com' }, /"iss" is "https:\/\/other/],
    ['of another type', { token_type: 'DPoP' }, /"token_type" is "DPoP"/],
    ['whose type is no text', { token_type: ['Bearer'] }, /"token_type" is \[/],
    ['that has ended', { exp: inSeconds(-60) }, /"exp" is/],
    ['whose end is no number', { exp: '2099-01-01' }, /"exp" is "2099-01-01"/],
    ['that has not begun', { nbf: inSeconds(60) }, /"nbf" is/],
    ['that refreshes others, as Keycloak says', { typ: 'Refresh' }, /"typ" is "Refresh"/],
    [
      'that refreshes others, as Hydra says',
      { token_use: 'refresh_token' },
      /"token_use" is "refresh_token"/,
    ],
    ['whose subject is no text', { sub: { id: 'ada' } }, /"sub" is \{/],
  ])('refuses a token %s (AUTH-13)', async (_, answer, reason) => {
    const refused = validate(answer);
    await expect(refused).rejects.toThrow(InvalidTokenError);
    await expect(refused).rejects.toMatchObject({ reason: expect.stringMatching(reason) });
  });

  it.each<[string, object]>([
    ['for the resource with a slash at its end', { aud: `${RESOURCE}/` }],
    ['whose type is in other letters', { token_type: 'bearer' }],
    ['whose end is not told', { exp: undefined }],
    ['of Keycloak', { typ: 'Bearer', nonce: 'of-an-old-release' }],
    ['of Hydra', { token_use: 'access_token' }],
  ])('takes a token %s (AUTH-13)', async (_, answer) => {
    expect(await accept(answer)).toMatchObject({ authentication: { claims: { sub: 'ada' } } });
  });

  it.each<[string, (now: number) => object]>([
    ['behind', (now) => ({ exp: now - 2 })],
    ['ahead', (now) => ({ nbf: now + 2 })],
  ])('takes a token of a clock that is a little %s (AUTH-13)', async (_, answerAt) => {
    stopClocks();
    try {
      expect(await accept(answerAt(inSeconds(0)))).toMatchObject({
        authentication: { claims: { sub: 'ada' } },
      });
    } finally {
      jest.useRealTimers();
    }
  });

  it('takes a token for one of several audiences (AUTH-13)', async () => {
    const options = { audience: ['desk', 'https://desk.example.com/'] };
    expect(await accept({ aud: 'https://desk.example.com' }, options)).toBeDefined();
    await expect(validate({ aud: RESOURCE }, options)).rejects.toThrow(InvalidTokenError);
  });

  it.each([[undefined], [[]]])(
    'takes a token whose audience is %j where that is allowed, and none for another resource (AUTH-13)',
    async (aud) => {
      const options = { unsafeAllowMissingAudience: true };
      expect((await accept({ aud }, options)).authentication.claims.aud).toEqual([]);
      for (const other of ['https://mail.example.com', ['https://mail.example.com']]) {
        await expect(validate({ aud: other }, options)).rejects.toThrow(InvalidTokenError);
      }
    },
  );
});

describe('IntrospectionValidator: what is kept', () => {
  it('asks once for all who bring a token at the same time, and gives later ones what it knows at once (AUTH-13, AUTH-11)', async () => {
    server.know(TOKEN);
    const validator = createValidator();
    const first = await Promise.all(Array.from({ length: 20 }, async () => validator.validate(TOKEN)));
    const second = validator.validate(TOKEN);
    expect(second).not.toBeInstanceOf(Promise);
    expect(second).toMatchObject({ isCached: true, authentication: (first[0] as Validated).authentication });
    expect(server.questions).toHaveLength(1);
  });

  it.each([
    ['after its time', { cacheTtlMs: 50 }],
    ['always, where it is told to', { cacheTtlMs: 0 }],
  ])('asks again %s (AUTH-13, AUTH-11)', async (_, options) => {
    server.know(TOKEN);
    const validator = createValidator(options);
    await validator.validate(TOKEN);
    server.know(TOKEN, { active: false });
    const outcome = await until(async () => {
      const settled = await validator.validate(TOKEN);
      return 'unrecognized' in settled && settled;
    }, 'another answer');
    expect(outcome.unrecognized).toContain('not active');
  });

  it('keeps nothing beyond the end of the token (AUTH-13, AUTH-11)', async () => {
    server.know(TOKEN, { exp: inSeconds(1) });
    const validator = createValidator({ cacheTtlMs: 600_000 });
    await validator.validate(TOKEN);
    const ask = () => validator.validate(TOKEN);
    expect(await until(async () => (await ask()) && server.questions.length > 1, 'a question')).toBe(true);
  });

  it('keeps no refusal and no failure (AUTH-13, AUTH-11)', async () => {
    const log = CapturedLog.begin();
    const validator = createValidator();
    expect(await validator.validate(TOKEN)).toHaveProperty('unrecognized');
    server.endpoint.breakDown();
    await expect(validator.validate(TOKEN)).rejects.toThrow(AuthUnavailableError);
    server.endpoint.recover();
    server.know(TOKEN);
    const outcome = await until(
      () => Promise.resolve(validator.validate(TOKEN)).catch(() => undefined),
      'an answer',
    );
    expect(outcome).toMatchObject({ authentication: { claims: { sub: 'ada' } } });
    log.release();
  });

  it('goes on with what it knows while the server is down (AUTH-13)', async () => {
    server.know(TOKEN);
    const validator = createValidator();
    await validator.validate(TOKEN);
    const log = CapturedLog.begin();
    server.endpoint.breakDown();
    await expect(validator.validate('another-token')).rejects.toThrow(AuthUnavailableError);
    expect(validator.validate(TOKEN)).toMatchObject({ isCached: true });
    log.release();
  });

  it('can be made to forget (AUTH-11)', async () => {
    server.know(TOKEN);
    const validator = createValidator();
    await validator.validate(TOKEN);
    validator.clear();
    await validator.validate(TOKEN);
    expect(server.questions).toHaveLength(2);
  });
});
