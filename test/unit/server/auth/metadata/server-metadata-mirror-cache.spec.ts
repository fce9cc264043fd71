import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { stopClocks } from '../../../support/clocks.js';
import { MirroredDocument } from '../../../../../lib/server/auth/metadata/server-metadata-mirror.js';
import { AuthUnavailableError } from '../../../../../lib/server/auth/errors.js';
import { fetchServerMetadata } from '../../../../../lib/server/auth/keys/issuer-metadata.js';
import { TestIssuer } from '../../../../support/authorization/issuer.js';
import { until } from '../../../../support/until.js';

const HOUR_MS = 3_600_000;

describe("A mirror of somebody else's document (RFC 8414)", () => {
  let issuer: TestIssuer;
  const failures: unknown[] = [];

  beforeEach(async () => {
    issuer = await TestIssuer.start();
    failures.length = 0;
  });

  afterEach(() => issuer.stop());

  const mirror = (maxAgeMs: number, cooldownMs: number) =>
    new MirroredDocument({
      load: () => fetchServerMetadata(issuer.url, { timeoutMs: 2000 }),
      onFailure: (error) => void failures.push(error),
      maxAgeMs,
      cooldownMs,
    });
  const fetches = () => issuer.metadataEndpoint.fetches;

  it('is got once for all who ask while it counts (PRM-03)', async () => {
    const document = mirror(HOUR_MS, HOUR_MS);
    const texts = await Promise.all([document.read(), document.read(), document.read()]);
    await document.read();
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] ?? '')).toEqual(issuer.metadata);
    expect(fetches()).toBe(1);
  });

  it('is got anew when it has come of age (PRM-03)', async () => {
    const document = mirror(1, HOUR_MS);
    await document.read();
    issuer.metadata['scopes_supported'] = ['desk:read'];
    await until(async () => (await document.read()).includes('desk:read'), 'the document as it is now');
    expect(fetches()).toBeGreaterThan(1);
  });

  it('stays while it cannot be got (PRM-03)', async () => {
    const document = mirror(1, 1);
    const text = await document.read();
    issuer.breakDown();
    await until(async () => {
      expect(await document.read()).toBe(text);
      return failures.length > 1;
    }, 'two failures');
    issuer.recover();
    issuer.metadata['scopes_supported'] = ['desk:read'];
    await until(async () => (await document.read()).includes('desk:read'), 'the document as it is now');
  });

  it('says when to come back where it was never got, and asks no more until then (PRM-03)', async () => {
    const document = mirror(HOUR_MS, 30_000);
    issuer.breakDown();
    stopClocks();
    for (let turn = 0; turn < 3; turn += 1) {
      const error = await document.read().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(AuthUnavailableError);
      expect((error as AuthUnavailableError).retryAfterSeconds).toBe(1);
    }
    jest.useRealTimers();
    expect([fetches(), failures.length]).toEqual([1, 1]);
  });

  it('is asked for again after the pause (PRM-03)', async () => {
    const document = mirror(HOUR_MS, 1);
    issuer.breakDown();
    await expect(document.read()).rejects.toThrow(AuthUnavailableError);
    issuer.recover();
    const text = await until(() => document.read().catch(() => ''), 'the document');
    expect(JSON.parse(text)).toEqual(issuer.metadata);
  });
});
