import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ServerMetadataMirror } from '../../../../../lib/server/auth/metadata/server-metadata-mirror.js';
import type { AuthOptions } from '../../../../../lib/server/settings/auth/auth-options.js';
import { TestIssuer } from '../../../../support/authorization/issuer.js';
import { RecordedLog } from '../../../../support/records/recorded-log.js';
import { passTime, stopClocks } from '../../../support/clocks.js';
import { buildSettings } from '../../../support/settings.js';

let issuer: TestIssuer;
let log: RecordedLog;

beforeEach(async () => {
  stopClocks();
  log = new RecordedLog();
  Logger.overrideLogger(log);
  issuer = await TestIssuer.start();
});

afterEach(async () => {
  jest.useRealTimers();
  Logger.overrideLogger(false);
  await issuer.stop();
});

const create = (auth: Partial<AuthOptions> = {}) =>
  new ServerMetadataMirror(
    buildSettings({
      auth: {
        resourceUri: 'https://desk.example.com/mcp',
        authorizationServers: [issuer.url, 'https://other.example.com'],
        jwt: {},
        ...auth,
      },
    }),
  );

const createProxy = () => create({ authorizationServerMetadata: 'proxy' });

describe('ServerMetadataMirror', () => {
  it.each<[string, () => ServerMetadataMirror]>([
    ['an open server', () => new ServerMetadataMirror(buildSettings())],
    ['a server that is not asked to', () => create()],
    [
      'a server without an authorization server',
      () => create({ authorizationServers: [], authorizationServerMetadata: 'proxy' }),
    ],
  ])('has nothing to show for %s (PRM-03)', (_, build) => {
    const mirror = build();
    expect(mirror.isServed).toBe(false);
    expect(mirror.read()).toBeUndefined();
  });

  it('shows what it is given, and asks nobody (PRM-03)', () => {
    const given = { issuer: 'https://login.example.com', token_endpoint: 'https://login.example.com/token' };
    for (const authorizationServers of [[issuer.url], []]) {
      const mirror = create({ authorizationServers, authorizationServerMetadata: given });
      expect(mirror.isServed).toBe(true);
      expect(mirror.read()).toBe(JSON.stringify(given));
    }
    expect(issuer.requests).toEqual([]);
  });

  it('shows what the first authorization server says of itself, and asks only when somebody looks (PRM-03)', async () => {
    const mirror = createProxy();
    expect(mirror.isServed).toBe(true);
    expect(issuer.requests).toEqual([]);
    expect(JSON.parse((await mirror.read()) ?? '')).toEqual(issuer.metadata);
    expect(log.lines).toEqual([]);
  });

  it('asks again after ten minutes (PRM-03)', async () => {
    const mirror = createProxy();
    await mirror.read();
    issuer.metadata['service_documentation'] = 'https://login.example.com/docs';
    passTime(599_999);
    expect(await mirror.read()).not.toContain('docs');
    passTime(1);
    expect(await mirror.read()).toContain('docs');
    expect(issuer.metadataEndpoint.fetches).toBe(2);
  });

  it('says in the log why there is nothing to show, and asks again half a second later (PRM-03, FAIR-07)', async () => {
    issuer.breakDown();
    const mirror = createProxy();
    await expect(mirror.read()).rejects.toMatchObject({ name: 'AuthUnavailableError', retryAfterSeconds: 1 });
    expect(log.lines).toEqual([
      {
        level: 'warn',
        text: `The metadata to mirror is unavailable: "${issuer.url}/.well-known/oauth-authorization-server" responded with status 500 McpAuth`,
      },
    ]);
    issuer.recover();
    passTime(499);
    await expect(mirror.read()).rejects.toMatchObject({ retryAfterSeconds: 1 });
    passTime(1);
    expect(JSON.parse((await mirror.read()) ?? '')).toEqual(issuer.metadata);
    expect(log.lines).toHaveLength(1);
  });

  it('goes on showing what it had while the authorization server is away (PRM-03)', async () => {
    const mirror = createProxy();
    const shown = await mirror.read();
    issuer.breakDown(503);
    passTime(600_000);
    expect(await mirror.read()).toBe(shown);
    expect(log.find('warn')).toHaveLength(1);
  });
});
