import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module, Scope } from '@nestjs/common';
import {
  AuthError,
  AuthUnavailableError,
  InvalidTokenError,
  McpModule,
  Tool,
  type GivenClaims,
  type McpContext,
  type TokenValidator,
} from 'nestjs-mcp';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import type { Answer } from '../../support/clients/call.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, textOf } from '../../support/applications/protected-desk.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

@Injectable()
class CallerTool {
  @Tool({ description: 'Tells who calls' })
  whoami(_arguments: object, { auth }: McpContext): string {
    return `${auth.claims?.sub} ${auth.hasScope('desk:read')}`;
  }
}

@Injectable()
class ApiKeys {
  readonly owners = new Map([['key-of-ada', { sub: 'ada', scopes: ['desk:read'] }]]);
}

@Injectable()
class KeyValidator implements TokenValidator {
  constructor(private readonly keys: ApiKeys) {}

  validate(token: string): GivenClaims | undefined {
    return this.keys.owners.get(token);
  }
}

/** A module of its own, which the server's module does not import. */
@Module({ providers: [ApiKeys, KeyValidator] })
class KeysModule {}

const call = (url: string, token: string): Promise<Answer> =>
  perRequest(url, { headers: authorize(token) }).request('tools/call', { name: 'whoami' });

describe.each(ADAPTERS)("A validator of the application's own on %s", (adapter) => {
  it('that does not answer within "callTimeoutMs" is not waited for: 503, or 429 if it answers others (FAIR-05) (FAIR-09) (AUTH-13)', async () => {
    const log = new RecordedLog();
    const validate = (token: string): GivenClaims | Promise<never> =>
      token === 'key-of-ada' ? { sub: 'ada', scopes: [] } : new Promise(() => undefined);
    const desk = await bootDesk(adapter, {
      auth: { validator: { validate } },
      options: { callTimeoutMs: 200 },
      providers: [CallerTool],
      nest: { logger: log },
    });
    expect(await call(desk.url, 'a-key-that-hangs')).toMatchObject({ status: 503 });
    const waiting = call(desk.url, 'another-key-that-hangs');
    expect(textOf((await call(desk.url, 'key-of-ada')).result ?? {})).toBe('ada false');
    expect(await waiting).toMatchObject({ status: 429 });
    expect(log.text).toContain("the application's validator took longer than 200 ms");
    await desk.close();
  });

  it('is a provider of any module, with its dependencies (AUTH-13)', async () => {
    const desk = await bootDesk(adapter, {
      auth: { validator: KeyValidator },
      imports: [KeysModule],
      providers: [CallerTool],
    });
    const { result } = await call(desk.url, 'key-of-ada');
    expect(textOf(result ?? {})).toBe('ada true');
    expect(await call(desk.url, 'key-of-bob')).toMatchObject({ status: 401 });
    desk.app.get(ApiKeys, { strict: false }).owners.set('key-of-bob', { sub: 'bob', scopes: [] });
    expect(textOf((await call(desk.url, 'key-of-bob')).result ?? {})).toBe('bob false');
    desk.app.get(ApiKeys, { strict: false }).owners.clear();
    expect(await call(desk.url, 'key-of-ada')).toMatchObject({ status: 401 });
    await desk.close();
  });

  it('is an object, which answers at once or later (AUTH-13)', async () => {
    for (const validate of [() => ({ sub: 'ada' }), async () => ({ sub: 'ada' })]) {
      const desk = await bootDesk(adapter, { auth: { validator: { validate } }, providers: [CallerTool] });
      expect(textOf((await call(desk.url, 'any-token')).result ?? {})).toBe('ada false');
      await desk.close();
    }
  });
});

describe("The class of an application's validator (AUTH-13)", () => {
  const imports = [
    McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, auth: { validator: KeyValidator } }),
  ];

  it('stops the start where no module provides it (AUTH-13, MOD-11)', async () => {
    const { message } = await bootFailure({ imports });
    expect(message).toMatch(/"auth\.validator" is "KeyValidator", which no module provides as a singleton/);
  });

  it('stops the start where it is made for each request (AUTH-13, MOD-11)', async () => {
    const scoped = { provide: KeyValidator, useClass: KeyValidator, scope: Scope.REQUEST };
    const { message } = await bootFailure({ imports, providers: [ApiKeys, scoped] });
    expect(message).toMatch(/"auth\.validator"/);
  });
});

/** Something that a validator may do with the token of that name. */
type Behavior = () => unknown;

const BEHAVIORS: { readonly [token: string]: Behavior } = {
  'scopes-as-text': () => ({ sub: 'ada', scopes: 'desk:read desk:write' }),
  'no-list-of-scopes': () => ({ sub: 'ada', scopes: null }),
  true: () => true,
  false: () => false,
  'empty-text': () => '',
  list: () => [{ sub: 'ada' }],
  nothing: () => undefined,
  null: () => null,
  'claims-that-ended': () => ({ sub: 'ada', expiresAt: Math.floor(Date.now() / 1000) - 60 }),
  'claims-that-end': () => ({ sub: 'ada', expiresAt: Math.floor(Date.now() / 1000) + 60 }),
  invalid: () => {
    throw new InvalidTokenError('it was revoked on Monday');
  },
  'invalid-later': async () => {
    throw new InvalidTokenError('it was revoked on Monday');
  },
  unavailable: () => {
    throw new AuthUnavailableError('the key service does not answer', { retryAfterSeconds: 17 });
  },
  'unavailable-later': async () => {
    throw new AuthUnavailableError('the key service does not answer', { retryAfterSeconds: 17 });
  },
  'unavailable-by-default': () => {
    throw new AuthUnavailableError('the key service does not answer');
  },
  'unavailable-for-a-fraction': () => {
    throw new AuthUnavailableError('the key service does not answer', { retryAfterSeconds: 0.2 });
  },
  'unavailable-until-a-date': () => {
    const retryAfterSeconds = Number('Fri, 27 Nov 2026 12:00:00 GMT');
    throw new AuthUnavailableError('the key service does not answer', { retryAfterSeconds });
  },
  challenge: () => {
    throw new AuthError(401, 'Unauthorized', 'Bearer error="use_dpop_nonce"');
  },
  failing: () => {
    throw new TypeError('cannot read the keys');
  },
  'failing-later': async () => {
    throw new TypeError('cannot read the keys');
  },
  text: () => {
    throw 'the keys are gone';
  },
  naught: () => {
    throw undefined;
  },
};

describe.each(ADAPTERS)("What an application's validator does on %s", (adapter) => {
  let log: RecordedLog;
  let desk: RunningApp;

  // Each with a server of its own: one that cannot check tokens says so once in a while.
  beforeEach(async () => {
    log = new RecordedLog();
    const validator = { validate: (token: string) => BEHAVIORS[token]?.() as GivenClaims | undefined };
    desk = await bootDesk(adapter, { auth: { validator }, providers: [CallerTool], nest: { logger: log } });
  });

  afterEach(() => desk.close());

  it.each(['nothing', 'null', 'unknown-token'])(
    'refuses a token that it gives nothing for: %s (AUTH-13)',
    async (token) => {
      const answer = await call(desk.url, token);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        'Bearer error="invalid_token"',
      ]);
      expect(log.find('debug', 'A token was refused')).toHaveLength(1);
      expect(log.find('error')).toEqual([]);
    },
  );

  it.each(['invalid', 'invalid-later'])(
    'refuses a token that it calls invalid: %s (AUTH-13)',
    async (token) => {
      const answer = await call(desk.url, token);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        'Bearer error="invalid_token"',
      ]);
      expect(JSON.stringify(answer)).not.toContain('Monday');
      expect(log.find('debug', 'A token was refused: it was revoked on Monday')).toHaveLength(1);
      expect(log.find('error')).toEqual([]);
    },
  );

  it('refuses a token whose claims have ended, and no other (AUTH-05, AUTH-13)', async () => {
    expect(await call(desk.url, 'claims-that-ended')).toMatchObject({ status: 401 });
    expect(await call(desk.url, 'claims-that-end')).toMatchObject({ status: 200 });
  });

  it.each([
    ['unavailable', '17'],
    ['unavailable-later', '17'],
    ['unavailable-by-default', '5'],
    ['unavailable-for-a-fraction', '1'],
  ])('says when to come back where it cannot tell: %s (AUTH-13)', async (token, seconds) => {
    const { status, headers, error } = await call(desk.url, token);
    expect([status, headers['retry-after'], headers['www-authenticate']]).toEqual([503, seconds, undefined]);
    expect(error).toEqual({
      code: -32603,
      message: 'Tokens cannot be checked at the moment: try again later',
    });
    expect(log.find('error')).toEqual([]);
  });

  it('may challenge the caller in a way of its own (AUTH-13)', async () => {
    const { status, headers } = await call(desk.url, 'challenge');
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer error="use_dpop_nonce"']);
  });

  it.each([
    ['failing', 'TypeError: cannot read the keys'],
    ['failing-later', 'TypeError: cannot read the keys'],
    ['text', 'the keys are gone'],
    ['naught', 'a validator failed'],
    ['unavailable-until-a-date', 'RangeError: "retryAfterSeconds" must be a number from 0 to'],
    ['scopes-as-text', 'returned string as "scopes": return an array'],
    ['no-list-of-scopes', 'returned object as "scopes": return an array'],
    ['true', 'returned boolean: return claims, or undefined to reject the token'],
    ['false', 'returned boolean: return claims, or undefined to reject the token'],
    ['empty-text', 'returned string: return claims, or undefined to reject the token'],
    ['list', 'returned object: return claims, or undefined to reject the token'],
  ])(
    'fails by itself: %s is answered with 429, since anybody may send it, and logged (AUTH-13) (FAIR-09)',
    async (token, logged) => {
      const { status, headers, error } = await call(desk.url, token);
      expect([status, headers['retry-after']]).toEqual([429, '5']);
      expect(JSON.stringify(error)).not.toMatch(/keys|scopes|claims/);
      expect(log.find('error')).toEqual([expect.stringContaining('A token could not be checked')]);
      expect(log.text).toContain(logged);
    },
  );

  it('fails again and again: it is logged once in a while (AUTH-13)', async () => {
    const statuses = new Set<number>();
    for (let time = 0; time < 20; time += 1) statuses.add((await call(desk.url, 'failing')).status);
    expect([...statuses]).toEqual([429]);
    expect(log.find('error')).toHaveLength(1);
  });
});
