import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthUnavailableError } from '../../../../../../lib/server/auth/errors.js';
import { IntrospectionValidator } from '../../../../../../lib/server/auth/validators/introspection/introspection.validator.js';
import type { Outcome } from '../../../../../../lib/server/auth/validators/validator.interface.js';
import type { IntrospectionOptions } from '../../../../../../lib/server/settings/auth/introspection-options.js';
import { until } from '../../../../../support/until.js';
import { CapturedLog } from '../../../../support/captured-log.js';
import { IntrospectionServer } from '../../../../support/introspection-server.js';

const TOKEN = 'an-opaque-token-of-ada';
const MOST_UNKNOWN = 256;
const MOST_OF_ADDRESS = 128;
const MOST_WAITING = 1024;
const MORE_FOR_KNOWN = 128;

describe('IntrospectionValidator: more tokens than may be asked about at once', () => {
  let server: IntrospectionServer;
  let log: CapturedLog;
  let asked: Promise<unknown>[];

  beforeEach(async () => {
    server = await IntrospectionServer.start();
    log = CapturedLog.begin();
    asked = [];
    server.know(TOKEN);
  });

  afterEach(async () => {
    await server.stop();
    await Promise.all(asked);
    log.release();
  });

  const create = (options: Partial<IntrospectionOptions> = {}) =>
    new IntrospectionValidator(server.settings({ timeoutMs: 60_000, cacheTtlMs: 1, ...options }));

  /** Asks without waiting, since nobody answers. */
  function ask(validator: IntrospectionValidator, token: string, address?: string): void {
    const request = address === undefined ? undefined : { ip: address };
    asked.push(
      Promise.resolve(validator.validate(token, undefined, request)).catch((error: unknown) => error),
    );
  }

  async function askMany(validator: IntrospectionValidator, count: number, name: string): Promise<void> {
    const before = server.questions.length;
    for (let index = 0; index < count; index += 1) ask(validator, `${name}-${index}`);
    await until(() => server.questions.length === before + count, 'the questions', 20_000);
  }

  /** Has tokens known, then has all questions that there may be under way, and as many wait as may. */
  async function crowd(validator: IntrospectionValidator): Promise<void> {
    const known = Array.from({ length: MORE_FOR_KNOWN }, (_, index) => `known-${index}`);
    for (const token of known) server.know(token);
    await Promise.all([TOKEN, ...known].map(async (token) => validator.validate(token)));
    server.endpoint.hang();
    await askMany(validator, MOST_UNKNOWN, 'unknown');
    await askMany(validator, MORE_FOR_KNOWN, 'known');
    for (let index = 0; index < MOST_WAITING; index += 1) ask(validator, `waiting-${index}`);
  }

  const isActive = async (outcome: Outcome | Promise<Outcome>): Promise<boolean> =>
    'authentication' in (await outcome);

  it('asks about tokens that were active before while it asks about as many as may be made up (FAIR-03)', async () => {
    const validator = create();
    await validator.validate(TOKEN);
    server.endpoint.hang();
    await askMany(validator, MOST_UNKNOWN, 'unknown');
    ask(validator, 'one-more');

    server.endpoint.recover();
    const before = server.questions.length;
    await until(async () => {
      expect(await isActive(validator.validate(TOKEN))).toBe(true);
      return server.questions.length > before;
    }, 'a question about a known token');
    expect(server.questions.map(({ form }) => form.get('token'))).not.toContain('one-more');
  }, 40_000);

  it('asks about so many of one address, and about those of others besides (FAIR-03)', async () => {
    const validator = create();
    server.endpoint.hang();
    for (let index = 0; index < MOST_OF_ADDRESS; index += 1)
      ask(validator, `unknown-${index}`, '203.0.113.7');
    await until(() => server.questions.length === MOST_OF_ADDRESS, 'the questions', 20_000);
    ask(validator, 'one-more', '203.0.113.7');
    server.endpoint.recover();
    expect(await isActive(validator.validate(TOKEN, undefined, { ip: '203.0.113.8' }))).toBe(true);
    expect(server.questions).toHaveLength(MOST_OF_ADDRESS + 1);
  }, 40_000);

  it('takes a token for good for a while that was active before (FAIR-03) (FAIR-09) (AUTH-13)', async () => {
    const validator = create({ graceMs: 600_000 });
    await crowd(validator);
    expect(await isActive(validator.validate(TOKEN))).toBe(true);
    await expect(validator.validate('another-token')).rejects.toMatchObject({ httpStatus: 429 });
    validator.clear();
    await expect(validator.validate(TOKEN)).rejects.toThrow(AuthUnavailableError);
  }, 40_000);

  it('takes no token for good beyond that while, nor beyond its end (FAIR-03) (AUTH-11)', async () => {
    const exp = Math.floor(Date.now() / 1000) + 8;
    const [strict, lenient] = [create(), create({ graceMs: 600_000 })];
    server.know(TOKEN, { exp });
    await crowd(strict);
    server.endpoint.recover();
    await crowd(lenient);
    const refuses = (validator: IntrospectionValidator) =>
      Promise.resolve(validator.validate(TOKEN)).then(
        () => false,
        (error: unknown) => error instanceof AuthUnavailableError,
      );
    expect(await until(() => refuses(strict), 'the end of the grace')).toBe(true);
    const goesOn = !(await refuses(lenient)) || Date.now() >= exp * 1000;
    expect(goesOn).toBe(true);
    expect(await until(() => refuses(lenient), 'the end of the token', 60_000)).toBe(true);
  }, 120_000);

  it('takes no token for good that is known to be active no more (FAIR-03) (AUTH-11)', async () => {
    const validator = create({ graceMs: 600_000 });
    await validator.validate(TOKEN);
    server.know(TOKEN, { active: false });
    await until(async () => !(await isActive(validator.validate(TOKEN))), 'the answer that it is not');
    await crowd(validator).catch(() => undefined);
    await expect(validator.validate(TOKEN)).rejects.toThrow(AuthUnavailableError);
  }, 40_000);
});
