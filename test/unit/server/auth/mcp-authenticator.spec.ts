import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpAuthenticator } from '../../../../lib/server/auth/mcp-authenticator.js';
import { AuthUnavailableError, InvalidTokenError } from '../../../../lib/server/auth/errors.js';
import { McpModule } from '../../../../lib/server/mcp.module.js';
import { AuthError } from '../../../../lib/core/oauth/auth.error.js';
import type { GivenClaims } from '../../../../lib/core/oauth/access-token.js';
import type { AuthOptions, TokenValidator } from '../../../../lib/server/settings/auth/auth-options.js';
import type { RequestSpan } from '../../../../lib/server/telemetry/request-tracing.js';
import { CapturedLog } from '../../support/captured-log.js';
import { SERVER_INFO as serverInfo } from '../../support/settings.js';
import { getParts } from '../../../support/applications/get-parts.js';

const FIXED = 'a-fixed-token-of-the-desk';
const KEY = 'key-of-ada-0123456789';
const STRANGE = 'a-token-of-nobody-here';
const SERVED = {
  resourceUri: 'https://desk.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
};

/** Where nobody listens: who is asked there cannot tell. */
const UNREACHABLE = { endpoint: 'http://127.0.0.1:9/introspect', clientId: 'desk', clientSecret: 'secret' };

/** Knows one key, and remembers what it was asked. */
class KeyValidator implements TokenValidator {
  readonly asked: string[] = [];
  failure: Error | undefined;

  validate(token: string): GivenClaims | undefined {
    this.asked.push(token);
    if (this.failure !== undefined) throw this.failure;
    return token === KEY ? { sub: 'ada', iss: 'keys', scopes: ['desk:read', 'desk:write'] } : undefined;
  }
}

/** Notes what the parts of the server add to a span, in order. */
class NotedSpan implements RequestSpan {
  readonly notes: (readonly [string, unknown])[] = [];

  set(name: string, value: unknown): void {
    this.notes.push([name, value]);
  }

  describe(): void {}
  link(): void {}
  run<Result>(act: () => Result): Result {
    return act();
  }
  runChild<Result>(_name: string, _attributes: object, act: () => Promise<Result>): Promise<Result> {
    return act();
  }
  fail(): void {}
  end(): void {}
}

describe('McpAuthenticator', () => {
  let log: CapturedLog;
  let keys: KeyValidator;

  beforeEach(() => {
    log = CapturedLog.begin();
    keys = new KeyValidator();
  });

  afterEach(() => log.release());

  async function boot(auth: AuthOptions = { bearer: FIXED, validator: keys }) {
    const testing = Test.createTestingModule({ imports: [McpModule.forRoot({ serverInfo, auth })] });
    const module = await testing.setLogger(log).compile();
    await module.init();
    return {
      authenticator: module.get(McpAuthenticator),
      chain: getParts(module).auth.validators,
    };
  }

  /** Gives why a token is refused, whether at once or later. */
  async function catchRefusal(authenticator: McpAuthenticator, token: string, span?: RequestSpan) {
    try {
      await authenticator.authenticate(token, span);
    } catch (error) {
      return error;
    }
    throw new Error('Expected the token to be refused');
  }

  it('gives a fixed token at once, the same each time (AUTH-03)', async () => {
    const { authenticator } = await boot({ bearer: { token: FIXED, subject: 'billing', scopes: ['a'] } });
    const authentication = authenticator.authenticate(FIXED);
    expect(authentication).toMatchObject({ method: 'bearer', claims: { sub: 'billing', scopes: ['a'] } });
    expect(authenticator.authenticate(FIXED)).toBe(authentication);
  });

  it('asks one validator after the other, and the first that recognizes the token decides (AUTH-18)', async () => {
    const { authenticator } = await boot();
    expect(await authenticator.authenticate(FIXED)).toMatchObject({ method: 'bearer' });
    expect(keys.asked).toEqual([]);
    expect(await authenticator.authenticate(KEY)).toMatchObject({
      method: 'custom',
      claims: { sub: 'ada', aud: [], extra: {} },
    });
    expect(keys.asked).toEqual([KEY]);
  });

  it('asks over the network last (AUTH-18)', async () => {
    const { chain } = await boot({
      ...SERVED,
      introspection: UNREACHABLE,
      validator: keys,
      jwt: [{}, { issuer: 'https://other.example.com' }],
      bearer: FIXED,
    });
    expect(chain.all.map(({ method }) => method)).toEqual([
      'bearer',
      'jwt',
      'jwt',
      'custom',
      'introspection',
    ]);
  });

  it('refuses what nobody recognizes, and says why in the log alone (AUTH-14) (AUTH-19)', async () => {
    const { authenticator } = await boot();
    const refusal = await catchRefusal(authenticator, STRANGE);
    expect(refusal).toEqual(new AuthError(401, 'Unauthorized', 'Bearer error="invalid_token"'));
    expect(refusal).not.toHaveProperty('cause');
    expect(log.debugs).toEqual([
      "A token was refused: it does not match any fixed token; the application's validator does not recognize it [caller=- session=- address=- method=- target=-]\nMcpAuth",
    ]);
    expect(log.errors).toEqual([]);
  });

  it('says each reason once, however many give it (AUTH-19)', async () => {
    const jwt = [{ issuer: 'https://login.example.com' }, { issuer: 'https://other.example.com' }];
    const { authenticator } = await boot({ ...SERVED, bearer: FIXED, jwt });
    await catchRefusal(authenticator, STRANGE);
    expect(log.debugs).toEqual([
      'A token was refused: it does not match any fixed token; it is not a JWT [caller=- session=- address=- method=- target=-]\nMcpAuth',
    ]);
  });

  it('refuses at once where no validator has to be waited for (AUTH-14)', async () => {
    const { authenticator } = await boot({ bearer: FIXED });
    expect(() => authenticator.authenticate(STRANGE)).toThrow(AuthError);
  });

  it('asks nobody else once one finds the token no good (AUTH-18)', async () => {
    const { authenticator } = await boot({ ...SERVED, validator: keys, introspection: UNREACHABLE });
    keys.failure = new InvalidTokenError('it was revoked');
    expect(await catchRefusal(authenticator, STRANGE)).toMatchObject({
      code: 401,
      wwwAuthenticate: expect.stringMatching(/^Bearer resource_metadata=".*", error="invalid_token"$/),
    });
    expect(log.debugs).toEqual([
      'A token was refused: it was revoked [caller=- session=- address=- method=- target=-]\nMcpAuth',
    ]);
  });

  it('tells the same of every token that is no good (AUTH-14)', async () => {
    const { authenticator } = await boot();
    const refusals = [await catchRefusal(authenticator, STRANGE)];
    keys.failure = new InvalidTokenError('it was revoked');
    refusals.push(await catchRefusal(authenticator, STRANGE));
    expect(refusals[1]).toEqual(refusals[0]);
  });

  it('passes on that a validator cannot tell at the moment (AUTH-12)', async () => {
    const { authenticator } = await boot();
    keys.failure = new AuthUnavailableError('the keys are not there', { retryAfterSeconds: 7 });
    expect(await catchRefusal(authenticator, STRANGE)).toBe(keys.failure);
    expect(log.warnings).toEqual([
      expect.stringContaining('A token could not be checked: the keys are not there'),
    ]);
  });

  it('says so once in a while, however many tokens come meanwhile (AUTH-12)', async () => {
    const { authenticator } = await boot();
    keys.failure = new AuthUnavailableError('the keys are not there');
    for (let count = 0; count < 10; count += 1) await catchRefusal(authenticator, `${STRANGE}-${count}`);
    expect(log.warnings).toHaveLength(1);
  });

  it('takes a validator that fails for one that cannot tell (AUTH-12)', async () => {
    const { authenticator } = await boot();
    keys.failure = new TypeError('no such table');
    const refusal = await catchRefusal(authenticator, STRANGE);
    expect(refusal).toBeInstanceOf(AuthUnavailableError);
    expect(refusal).toMatchObject({ retryAfterSeconds: 5, cause: keys.failure });
    expect(log.errors).toEqual([expect.stringContaining('a validator failed (no such table)')]);
  });

  it('passes on a refusal of the validator’s own (STEP-04)', async () => {
    const { authenticator } = await boot();
    keys.failure = new AuthError(403, 'Guests are not let in');
    expect(await catchRefusal(authenticator, STRANGE)).toBe(keys.failure);
  });

  it.each<[string, (token: string) => Error]>([
    ['calls it no good', (token) => new InvalidTokenError(`"${token}" was revoked`)],
    ['cannot tell', (token) => new AuthUnavailableError(`no answer for ${token}`)],
    ['fails', (token) => new TypeError(`Cannot read ${token}, ${token}`)],
    ['cannot tell for a reason', (token) => new AuthUnavailableError('x', { cause: new Error(token) })],
  ])('logs no token, also where a validator that %s quotes it (AUTH-15)', async (_how, create) => {
    const { authenticator } = await boot();
    keys.failure = create(STRANGE);
    await catchRefusal(authenticator, STRANGE);
    const written = [...log.debugs, ...log.warnings, ...log.errors].join('\n');
    expect(written).toContain('[token]');
    expect(written).not.toContain(STRANGE);
  });

  it.each<[string, string, string]>([
    ['a', '"a" was no key that anybody has', '"a" was no key that anybody has'],
    ['any', '"any" was no key that anybody has', '"any" was no key that anybody has'],
    ['anyb', '"anyb" was no key', '"[token]" was no key'],
  ])('logs what a validator says of %s so that it can be read (AUTH-15)', async (token, reason, read) => {
    const { authenticator } = await boot();
    keys.failure = new InvalidTokenError(reason);
    await catchRefusal(authenticator, token);
    expect(log.debugs.join()).toContain(`A token was refused: ${read} [caller=`);
  });

  it('says on the span how a token is validated before it is, and whose it is after (TRACE-02)', async () => {
    const { authenticator } = await boot();
    const [fixed, known, strange] = [new NotedSpan(), new NotedSpan(), new NotedSpan()];
    await authenticator.authenticate(FIXED, fixed);
    expect(fixed.notes).toEqual([
      ['mcp.auth.method', 'bearer'],
      ['mcp.auth.scopes', ''],
      ['mcp.auth.cache_hit', 'false'],
    ]);
    await authenticator.authenticate(KEY, known);
    expect(known.notes).toEqual([
      ['mcp.auth.method', 'bearer'],
      ['mcp.auth.method', 'custom'],
      ['mcp.auth.subject', 'ada'],
      ['mcp.auth.issuer', 'keys'],
      ['mcp.auth.scopes', 'desk:read,desk:write'],
      ['mcp.auth.cache_hit', 'false'],
    ]);
    await catchRefusal(authenticator, STRANGE, strange);
    expect(strange.notes).toEqual([
      ['mcp.auth.method', 'bearer'],
      ['mcp.auth.method', 'custom'],
    ]);
  });

  it('knows whether the server asks for tokens at all (AUTH-01)', async () => {
    const module = await Test.createTestingModule({ imports: [McpModule.forRoot({ serverInfo })] }).compile();
    expect(module.get(McpAuthenticator).isConfigured).toBe(false);
    expect((await boot()).authenticator.isConfigured).toBe(true);
  });

  it('refuses every token on an open server (AUTH-01)', async () => {
    const module = await Test.createTestingModule({ imports: [McpModule.forRoot({ serverInfo })] }).compile();
    expect(() => module.get(McpAuthenticator).authenticate(FIXED)).toThrow(AuthError);
  });
});
