import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeForm } from '../../../../../../lib/core/oauth/token-endpoint/client-identity.js';
import { AuthUnavailableError } from '../../../../../../lib/server/auth/errors.js';
import { IntrospectionEndpoint } from '../../../../../../lib/server/auth/validators/introspection/introspection-endpoint.js';
import type { IntrospectionOptions } from '../../../../../../lib/server/settings/auth/introspection-options.js';
import { until } from '../../../../../support/until.js';
import { CapturedLog } from '../../../../support/captured-log.js';
import { CLIENT, IntrospectionServer } from '../../../../support/introspection-server.js';

const TOKEN = 'an-opaque-token-of-ada';

let server: IntrospectionServer;
let log: CapturedLog;

beforeEach(async () => {
  server = await IntrospectionServer.start();
  server.know(TOKEN);
  log = CapturedLog.begin();
});

afterEach(async () => {
  log.release();
  await server.stop();
});

function createEndpoint(options?: Partial<IntrospectionOptions>): IntrospectionEndpoint {
  return new IntrospectionEndpoint(server.settings(options));
}

describe('IntrospectionEndpoint: the question (RFC 7662 §2.1)', () => {
  it('posts the token as a form, with credentials that are encoded before they are put together (AUTH-13)', async () => {
    await createEndpoint().introspect(TOKEN);
    const [question] = server.questions;
    expect(question?.method).toBe('POST');
    expect(question?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([...(question?.form ?? [])]).toEqual([
      ['token', TOKEN],
      ['token_type_hint', 'access_token'],
    ]);
    const [scheme, credentials = ''] = (question?.headers.authorization ?? '').split(' ');
    const decoded = Buffer.from(credentials, 'base64').toString();
    expect(scheme).toBe('Basic');
    expect(decoded).toBe('desk%3Aapi:s3cret%2Fwith+%2B%3A%25%26%3Duml%C3%A4ut');
  });

  it('posts the credentials in the form where it is told so (AUTH-13)', async () => {
    await createEndpoint({ authenticationMethod: 'client_secret_post' }).introspect(TOKEN);
    const [question] = server.questions;
    expect(question?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(question?.form ?? [])).toEqual({
      token: TOKEN,
      token_type_hint: 'access_token',
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
    });
  });

  it('finds the endpoint in the metadata of the issuer, and looks once (AUTH-13)', async () => {
    const { endpoint: _, ...settings } = server.settings();
    const endpoint = new IntrospectionEndpoint(settings);
    await Promise.all([endpoint.introspect(TOKEN), endpoint.introspect(TOKEN)]);
    await endpoint.introspect(TOKEN);
    expect(server.metadataEndpoint.fetches).toBe(1);
    expect(server.questions).toHaveLength(3);
  });

  it.each([
    ['is not there', {}],
    ['is not secure', { introspection_endpoint: 'http://login.example.com/introspect' }],
  ])('asks nobody where the endpoint %s in the metadata (AUTH-13)', async (_, metadata) => {
    delete server.metadata['introspection_endpoint'];
    Object.assign(server.metadata, metadata);
    const { endpoint: __, ...settings } = server.settings();
    await expect(new IntrospectionEndpoint(settings).introspect(TOKEN)).rejects.toThrow(AuthUnavailableError);
    expect(log.warnings.join()).toContain('"introspection_endpoint"');
    expect(server.questions).toEqual([]);
  });
});

describe('IntrospectionEndpoint: an endpoint that fails', () => {
  const GARBAGE = 'the introspection response does not contain "active"';

  it.each<[string, () => void, string]>([
    ['answers with 500', () => server.endpoint.breakDown(), 'status 500'],
    [
      'refuses the credentials',
      () => server.endpoint.breakDown(401),
      '"auth.introspection.clientSecret" was rejected',
    ],
    ['refuses the request', () => server.endpoint.breakDown(400), 'check "auth.introspection"'],
    ['cuts the connection off', () => server.endpoint.cutOff(), 'cannot be reached'],
    [
      'redirects',
      () => server.endpoint.answer({ status: 307, headers: { location: '/other' } }),
      'redirects are not followed',
    ],
    ['sends no JSON', () => server.endpoint.answer({ body: '<html>' }), 'did not respond with a JSON object'],
    ['sends a list', () => server.endpoint.answer({ body: [true] }), 'did not respond with a JSON object'],
    [
      'sends an object of something else',
      () => server.endpoint.answer({ body: { active: 'true' } }),
      GARBAGE,
    ],
    [
      'quotes what it was sent',
      () => {
        const sent = [TOKEN, CLIENT.clientSecret, encodeForm(CLIENT.clientSecret)];
        server.endpoint.answer({ body: { error: `unknown: ${sent.join(', ')}` } });
      },
      'the error "unknown: [secret], [secret], [secret]"',
    ],
    ['sends without an end', () => server.endpoint.overflow(), 'sent more than'],
    ['does not answer', () => server.endpoint.hang(), 'did not respond within 1000 ms'],
    ['does not finish its answer', () => server.endpoint.stall(), 'did not respond within 1000 ms'],
  ])(
    'makes tokens unavailable, not wrong, where it %s, and says so without secrets (AUTH-13, AUTH-15)',
    async (_, fail, told) => {
      fail();
      const failure = createEndpoint({ timeoutMs: 1000 }).introspect(TOKEN);
      await expect(failure).rejects.toThrow(AuthUnavailableError);
      await expect(failure).rejects.toMatchObject({ retryAfterSeconds: 1 });
      expect(log.warnings).toHaveLength(1);
      const [warning = ''] = log.warnings;
      expect(warning).toContain(told);
      for (const secret of [TOKEN, CLIENT.clientSecret, 's3cret', 'Basic'])
        expect(warning).not.toContain(secret);
    },
  );

  it('is left alone for a moment, then asked one question at a time until it answers (AUTH-13)', async () => {
    const endpoint = createEndpoint();
    server.endpoint.breakDown();
    await expect(endpoint.introspect(TOKEN)).rejects.toThrow(AuthUnavailableError);
    await Promise.allSettled(Array.from({ length: 100 }, () => endpoint.introspect(TOKEN)));
    expect(server.questions).toHaveLength(1);

    const askMany = () => Promise.allSettled(Array.from({ length: 10 }, () => endpoint.introspect(TOKEN)));
    await until(async () => (await askMany()) && server.questions.length > 1, 'the second question');
    expect(server.questions).toHaveLength(2);
    expect(log.warnings).toHaveLength(1);

    server.endpoint.recover();
    await until(async () => {
      const outcomes = await askMany();
      return outcomes.some(({ status }) => status === 'fulfilled');
    }, 'an answer');
    expect(server.questions).toHaveLength(3);
    const outcomes = await askMany();
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('is told of once, however many questions wait for it (AUTH-13)', async () => {
    server.endpoint.hang();
    const endpoint = createEndpoint();
    const asked = Promise.allSettled(Array.from({ length: 20 }, () => endpoint.introspect(TOKEN)));
    await until(() => server.questions.length === 20, 'the questions');
    server.cutOff();
    const outcomes = await asked;
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(server.questions).toHaveLength(20);
    expect(log.warnings).toHaveLength(1);
  });

  it('is not flooded with questions (AUTH-13)', async () => {
    server.endpoint.hang();
    const endpoint = createEndpoint();
    const refused: unknown[] = [];
    const asked = Array.from({ length: 300 }, (_, index) =>
      endpoint.introspect(`token-${index}`).catch((error: unknown) => refused.push(error)),
    );
    await until(() => server.questions.length === 256, 'the questions');
    expect(refused).toEqual([]);
    server.endpoint.breakDown();
    server.cutOff();
    await Promise.all(asked);
    // Those that waited are not asked: the endpoint is left alone.
    expect([refused.length, server.questions.length]).toEqual([300, 256]);
  });

  it('may move: where something failed, its metadata is read again (AUTH-13)', async () => {
    const { endpoint: _, ...settings } = server.settings();
    const endpoint = new IntrospectionEndpoint(settings);
    server.metadata['introspection_endpoint'] = `${server.url}/gone`;
    server.metadataEndpoint.recover();
    await expect(endpoint.introspect(TOKEN)).rejects.toThrow(AuthUnavailableError);
    server.metadata['introspection_endpoint'] = server.endpointUrl;
    const answer = await until(() => endpoint.introspect(TOKEN).catch(() => undefined), 'an answer');
    expect(answer).toMatchObject({ sub: 'ada' });
  });
});
