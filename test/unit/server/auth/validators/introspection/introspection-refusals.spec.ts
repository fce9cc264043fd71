import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  AuthUnavailableError,
  IntrospectionOverloadError,
} from '../../../../../../lib/server/auth/errors.js';
import { IntrospectionEndpoint } from '../../../../../../lib/server/auth/validators/introspection/introspection-endpoint.js';
import { until } from '../../../../../support/until.js';
import { CapturedLog } from '../../../../support/captured-log.js';
import { passTime, stopClocks } from '../../../../support/clocks.js';
import { IntrospectionServer } from '../../../../support/introspection-server.js';

const TOKEN = 'an-opaque-token-of-ada';

let server: IntrospectionServer;
let endpoint: IntrospectionEndpoint;
let log: CapturedLog;

beforeEach(async () => {
  stopClocks();
  server = await IntrospectionServer.start();
  server.know(TOKEN);
  endpoint = new IntrospectionEndpoint(server.settings());
  log = CapturedLog.begin();
});

afterEach(async () => {
  jest.useRealTimers();
  log.release();
  await server.stop();
});

/** Asks about each token, one after the other; none is answered. */
async function askInVain(...tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    const failure = endpoint.introspect(token);
    await expect(failure).rejects.toThrow(AuthUnavailableError);
    await expect(failure).rejects.toMatchObject({ retryAfterSeconds: 1 });
  }
}

describe('IntrospectionEndpoint: a question that is refused', () => {
  const KNOWN_TOKEN = { isKnown: true, findAddress: () => undefined };

  it.each([302, 400, 403, 404, 429, 500, 503])(
    'with %d is answered with 429, now and until it may be asked again: the token may be the reason (FAIR-09)',
    async (status) => {
      server.endpoint.breakDown(status);
      for (const token of ['a', 'b', 'c', 'd', 'e']) {
        await expect(endpoint.introspect(token)).rejects.toMatchObject({
          httpStatus: 429,
          retryAfterSeconds: 1,
        });
      }
    },
  );

  it('with 401 is answered with 503: no token makes the credentials better (FAIR-09)', async () => {
    server.endpoint.breakDown(401);
    for (const token of ['a', 'b'])
      await expect(endpoint.introspect(token)).rejects.toMatchObject({ httpStatus: 503 });
  });

  it('for a token that was active is an outage, unless fewer questions are wanted (FAIR-09)', async () => {
    server.endpoint.breakDown(500);
    await expect(endpoint.introspect(TOKEN, KNOWN_TOKEN)).rejects.toMatchObject({ httpStatus: 503 });
    await expect(endpoint.introspect('a')).rejects.toMatchObject({ httpStatus: 503 });
    passTime(1000);
    server.endpoint.breakDown(429);
    for (const subject of [undefined, KNOWN_TOKEN]) {
      await expect(endpoint.introspect(TOKEN, subject)).rejects.toThrow(IntrospectionOverloadError);
      await expect(endpoint.introspect(TOKEN, subject)).rejects.toMatchObject({ httpStatus: 429 });
    }
    expect(server.questions).toHaveLength(2);
  });

  it('because nobody is there is answered with 503 (FAIR-09) (AUTH-13)', async () => {
    server.endpoint.cutOff();
    for (const token of ['a', 'b'])
      await expect(endpoint.introspect(token)).rejects.toMatchObject({ httpStatus: 503 });
  });

  it('is answered with 429 and keeps nobody from being asked about if others were answered meanwhile (FAIR-09)', async () => {
    server.endpoint.hang();
    const hanging = endpoint.introspect('a');
    await until(() => server.questions.length === 1, 'the question');
    server.endpoint.recover();
    await endpoint.introspect(TOKEN);
    server.cutOff();
    await expect(hanging).rejects.toMatchObject({ httpStatus: 429 });
    // Nobody waits for this: it is not down.
    await expect(endpoint.introspect('b')).resolves.toBeUndefined();
    server.endpoint.cutOff();
    await expect(endpoint.introspect('c')).rejects.toMatchObject({ httpStatus: 503 });
  });

  it('for want of time is answered with 429 while more come than can be asked about (FAIR-09)', async () => {
    server.endpoint.cutOff();
    const asked = Array.from({ length: 257 }, (_, index) => endpoint.introspect(`token-${index}`));
    const statuses = await Promise.all(
      asked.map((one) => one.catch((error: unknown) => (error as AuthUnavailableError).httpStatus)),
    );
    expect(new Set(statuses)).toEqual(new Set([429]));
    passTime(1000);
    await expect(endpoint.introspect('a')).rejects.toMatchObject({ httpStatus: 503 });
  });

  it.each([400, 403, 404, 413, 414, 422, 499])(
    'with %d, however often, leaves others their answers (AUTH-12, AUTH-13)',
    async (status) => {
      server.endpoint.breakDown(status);
      await askInVain('<script>', '<script>', '<script>', '<script>');
      server.endpoint.recover();
      await expect(endpoint.introspect(TOKEN)).resolves.toMatchObject({ sub: 'ada' });
      expect(server.questions).toHaveLength(5);
    },
  );

  it.each<[string, unknown]>([
    ['an error', { error: 'invalid_token' }],
    ['nothing of the token', {}],
    ['a word of the token', { active: 'no' }],
    ['the page of a firewall', '<html>Blocked</html>'],
  ])(
    'with status 200 and %s, however often, leaves others their answers (AUTH-12, AUTH-13)',
    async (_, body) => {
      server.endpoint.answer({ body });
      await askInVain('<script>', '<script>', '<script>', '<script>');
      server.endpoint.recover();
      await expect(endpoint.introspect(TOKEN)).resolves.toMatchObject({ sub: 'ada' });
      expect(server.questions).toHaveLength(5);
    },
  );

  it.each(['invalid_client', 'unauthorized_client', 'server_error', 'temporarily_unavailable', 'slow_down'])(
    'with status 200 and the error "%s" has the endpoint left alone for a moment (AUTH-13)',
    async (error) => {
      server.endpoint.answer({ body: { error } });
      await askInVain('a', 'b');
      expect(server.questions).toHaveLength(1);
    },
  );

  it.each([401, 429, 500])('with %d has the endpoint left alone for a moment (AUTH-13)', async (status) => {
    server.endpoint.breakDown(status);
    await askInVain('a', 'b');
    expect(server.questions).toHaveLength(1);
  });

  it('with 500 leaves others their answers whose tokens were active (AUTH-12, AUTH-13)', async () => {
    const known = { isKnown: true, findAddress: () => undefined };
    server.endpoint.breakDown(500);
    await askInVain('<script>');
    server.endpoint.recover();
    await expect(endpoint.introspect(TOKEN, known)).resolves.toMatchObject({ sub: 'ada' });
    server.endpoint.breakDown(500);
    await askInVain('<script>');
    await expect(endpoint.introspect(TOKEN, known)).rejects.toThrow(AuthUnavailableError);
    await expect(endpoint.introspect(TOKEN, known)).rejects.toThrow(AuthUnavailableError);
    expect(server.questions).toHaveLength(4);
  });

  it('with 500 for a token that anybody may have invented is logged once in a while (AUTH-12)', async () => {
    const known = { isKnown: true, findAddress: () => undefined };
    for (const token of ['<script>', '<style>']) {
      server.endpoint.breakDown(500);
      await askInVain(token);
      server.endpoint.recover();
      await endpoint.introspect(TOKEN, known);
    }
    expect(log.warnings).toHaveLength(1);
  });

  it('as another was, and another, has it left alone: it refuses all (AUTH-13)', async () => {
    server.endpoint.breakDown(403);
    await askInVain('a', 'b', 'c', 'd');
    expect(server.questions).toHaveLength(3);
    passTime(1000);
    await askInVain('d', 'e');
    expect(server.questions).toHaveLength(4);
    server.endpoint.recover();
    passTime(1000);
    await endpoint.introspect(TOKEN);
    server.endpoint.breakDown(403);
    passTime(60_000);
    await askInVain('a', 'b');
    server.endpoint.recover();
    await expect(endpoint.introspect(TOKEN)).resolves.toMatchObject({ sub: 'ada' });
  });

  it('costs nobody an answer within a minute of the last, however many are refused (AUTH-12, AUTH-13)', async () => {
    await endpoint.introspect(TOKEN);
    passTime(59_999);
    server.endpoint.breakDown(400);
    await askInVain('a', 'b', 'c', 'd');
    expect(server.questions).toHaveLength(5);
    passTime(1);
    await askInVain('e', 'f');
    expect(server.questions).toHaveLength(6);
  });

  it('is told of once in ten seconds, without the token (AUTH-13, AUTH-15)', async () => {
    server.endpoint.breakDown(400);
    await askInVain('a-strange-one');
    passTime(9999);
    await askInVain('a-strange-one');
    expect(log.warnings).toHaveLength(1);
    passTime(1);
    await askInVain('a-strange-one');
    expect(log.warnings).toHaveLength(2);
    expect(log.warnings.join()).toContain('check "auth.introspection"');
    expect(log.warnings.join()).not.toContain('a-strange-one');
  });

  it.each([
    [404, 2],
    [400, 1],
  ])('with %d has the metadata read so often: %d (AUTH-13)', async (status, fetches) => {
    const { endpoint: _, ...settings } = server.settings();
    endpoint = new IntrospectionEndpoint(settings);
    server.endpoint.breakDown(status);
    await askInVain('a');
    server.endpoint.recover();
    await endpoint.introspect(TOKEN);
    expect(server.metadataEndpoint.fetches).toBe(fetches);
  });

  it('is no matter of the token where the metadata is refused (AUTH-13)', async () => {
    const { endpoint: _, ...settings } = server.settings();
    endpoint = new IntrospectionEndpoint(settings);
    server.metadataEndpoint.breakDown(403);
    await askInVain('a', 'b');
    expect(server.metadataEndpoint.fetches).toBe(2);
  });
});
