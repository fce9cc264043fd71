import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { fetchServerMetadata, getEndpoint } from '../../../../../lib/server/auth/keys/issuer-metadata.js';
import { TestIssuer } from '../../../../support/authorization/issuer.js';
import { CapturedLog } from '../../../support/captured-log.js';
import { passTime, stopClocks } from '../../../support/clocks.js';
import { JWKS, createKeySet, hintOf } from '../../../support/key-set.js';

const SETTINGS = { timeoutMs: 2_000 };

let issuer: TestIssuer;

afterEach(async () => {
  jest.useRealTimers();
  await issuer.stop();
});

describe('fetchServerMetadata (RFC 8414 §3)', () => {
  it.each([
    ['', '/.well-known/oauth-authorization-server', 1],
    ['', '/.well-known/openid-configuration', 2],
    ['/tenants/1', '/.well-known/oauth-authorization-server/tenants/1', 1],
    ['/tenants/1', '/.well-known/openid-configuration/tenants/1', 2],
    ['/tenants/1', '/tenants/1/.well-known/openid-configuration', 3],
    ['/tenants/1/', '/tenants/1/.well-known/openid-configuration', 3],
  ])('finds the metadata of an issuer at %j in %s (AUTH-04)', async (path, metadataPath, requests) => {
    issuer = await TestIssuer.start({ path, metadataPath });
    expect(await fetchServerMetadata(issuer.url, SETTINGS)).toEqual(issuer.metadata);
    expect(issuer.requests).toHaveLength(requests);
    expect(issuer.requests.at(-1)).toBe(metadataPath);
  });

  it('says where it looked where there is none (AUTH-12)', async () => {
    issuer = await TestIssuer.start({ metadataPath: '/elsewhere' });
    const places = ['oauth-authorization-server', 'openid-configuration'].map(
      (name) => `"${issuer.origin}/.well-known/${name}"`,
    );
    await expect(fetchServerMetadata(issuer.url, SETTINGS)).rejects.toMatchObject({
      name: 'DocumentError',
      message: `"${issuer.url}" has no metadata at any of the standard locations: ${places.join(', ')}`,
    });
  });

  it.each([408, 425, 429])('looks no further where the status is %d (AUTH-12) (PEER-01)', async (status) => {
    issuer = await TestIssuer.start();
    issuer.breakDown(status);
    await expect(fetchServerMetadata(issuer.url, SETTINGS)).rejects.toMatchObject({ status });
    expect(issuer.requests).toHaveLength(1);
  });

  it.each([500, 503])(
    'looks further where the status is %d, and tells it (AUTH-12) (PEER-01)',
    async (status) => {
      issuer = await TestIssuer.start();
      issuer.breakDown(status);
      await expect(fetchServerMetadata(issuer.url, SETTINGS)).rejects.toMatchObject({ status });
      expect(issuer.requests).toHaveLength(2);
    },
  );

  it.each([400, 401, 403, 410])(
    'says what it found where the status is %d (AUTH-12) (PEER-01)',
    async (status) => {
      issuer = await TestIssuer.start();
      issuer.breakDown(status);
      await expect(fetchServerMetadata(issuer.url, SETTINGS)).rejects.toThrow(
        `oauth-authorization-server" (responded with status ${status}), "`,
      );
    },
  );

  it.each([
    ['another issuer', 'https://evil.example'],
    ['its issuer with a slash', 'slash'],
    ['no issuer', undefined],
    ['an issuer that is no text', 5],
  ])('refuses a document of %s (AUTH-06) (SAFE-02)', async (_, named) => {
    issuer = await TestIssuer.start();
    issuer.metadata['issuer'] = named === 'slash' ? `${issuer.url}/` : named;
    await expect(fetchServerMetadata(issuer.url, SETTINGS)).rejects.toThrow(`, expected "${issuer.url}"`);
    expect(issuer.requests).toHaveLength(1);
  });

  it.each(['my issuer', 'http://login.example.com', ''])('does not look for %j (AUTH-04)', async (name) => {
    issuer = await TestIssuer.start();
    await expect(fetchServerMetadata(name, SETTINGS)).rejects.toThrow(
      `the issuer "${name}" is not an "https:" URL`,
    );
  });
});

describe('getEndpoint (RFC 8414 §2)', () => {
  it('gives the URL of an endpoint (AUTH-04) (AUTH-13)', async () => {
    issuer = await TestIssuer.start();
    expect(getEndpoint({ issuer: issuer.url, jwks_uri: 'https://a.example/' }, 'jwks_uri')).toBe(
      'https://a.example/',
    );
    const introspection = { issuer: issuer.url, introspection_endpoint: 'http://localhost/ask' };
    expect(getEndpoint(introspection, 'introspection_endpoint')).toBe('http://localhost/ask');
  });

  it.each([
    ['jwks_uri', 'a "jwks_uri": set "auth.jwt.jwksUrl"'],
    ['introspection_endpoint', 'an "introspection_endpoint": set "auth.introspection.endpoint"'],
  ] as const)('says what to do without %s (AUTH-12)', (member, advice) => {
    expect(() => getEndpoint({ issuer: 'https://login.example.com' }, member)).toThrow(
      `the metadata of "https://login.example.com" does not contain ${advice}`,
    );
  });

  it.each([null, ''])('takes %j for its absence (PEER-02)', async (url) => {
    issuer = await TestIssuer.start();
    issuer.metadata['jwks_uri'] = url;
    const metadata = await fetchServerMetadata(issuer.url, SETTINGS);
    expect(() => getEndpoint(metadata, 'jwks_uri')).toThrow('does not contain a "jwks_uri"');
  });

  it.each([5, '/keys', 'http://login.example.com/keys', 'file:///keys', ['https://a.example']])(
    'refuses %j (AUTH-04) (SAFE-02)',
    async (url) => {
      issuer = await TestIssuer.start();
      issuer.metadata['jwks_uri'] = url;
      const metadata = await fetchServerMetadata(issuer.url, SETTINGS);
      expect(() => getEndpoint(metadata, 'jwks_uri')).toThrow(/as its "jwks_uri", expected an "https:" URL/);
    },
  );
});

describe('KeySet without a URL', () => {
  it('finds keys by the metadata of the issuer, and follows it to another place (AUTH-04) (AUTH-12)', async () => {
    issuer = await TestIssuer.start();
    const other = await TestIssuer.start();
    stopClocks();
    const [key, otherKey] = [issuer.keys[0]!, other.keys[0]!];
    const keySet = createKeySet(issuer, { jwksUrl: undefined });
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    issuer.metadata['jwks_uri'] = other.jwksUrl;
    passTime(JWKS.cooldownMs);
    expect(await keySet.find(hintOf(otherKey))).toHaveLength(1);
    await other.stop();
  });

  it('has no keys where the metadata is of another issuer (AUTH-06) (AUTH-12)', async () => {
    const log = CapturedLog.begin();
    issuer = await TestIssuer.start();
    issuer.metadata['issuer'] = 'https://evil.example';
    const found = createKeySet(issuer, { jwksUrl: undefined }).find(hintOf(issuer.keys[0]!));
    await expect(found).rejects.toMatchObject({ name: 'AuthUnavailableError', retryAfterSeconds: 1 });
    expect(issuer.fetches).toBe(0);
    expect(log.warnings[0]).toContain('names the issuer "https://evil.example"');
    log.release();
  });
});
