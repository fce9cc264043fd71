import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { DocumentError } from '../../../../../lib/server/auth/errors.js';
import { fetchDocument } from '../../../../../lib/server/auth/keys/fetch-document.js';
import { TestServer } from '../../../support/http-server.js';
import { TestIssuer } from '../../../../support/authorization/issuer.js';

const KIBIBYTE = 1024;

let issuer: TestIssuer;

beforeEach(async () => {
  issuer = await TestIssuer.start();
});

afterEach(() => issuer.stop());

/** Gives what a fetch fails with. */
async function failureOf(url = issuer.jwksUrl, timeoutMs = 2_000): Promise<DocumentError> {
  const outcome = await fetchDocument(url, { timeoutMs }).catch((error: unknown) => error);
  if (outcome instanceof DocumentError) return outcome;
  throw new Error(`The fetch did not fail: ${String(outcome)}`);
}

describe('fetchDocument', () => {
  it('gives a JSON object, and asks for one (AUTH-04)', async () => {
    issuer.keyEndpoint.answer({ body: { keys: [], more: 'ü' } });
    expect(await fetchDocument(issuer.jwksUrl, { timeoutMs: 2_000 })).toEqual({ keys: [], more: 'ü' });
    expect(issuer.keyEndpoint.lastHeaders).toMatchObject({ accept: 'application/json' });
    expect(issuer.keyEndpoint.lastHeaders).not.toHaveProperty('authorization');
  });

  it('keeps no connection for the next one, which is minutes away (AUTH-12)', async () => {
    await fetchDocument(issuer.jwksUrl, { timeoutMs: 2_000 });
    expect(issuer.keyEndpoint.lastHeaders).toMatchObject({ connection: 'close' });
  });

  it('sends a form where it is asked to (AUTH-13)', async () => {
    const server = await TestServer.start();
    const fetched = fetchDocument(server.url, {
      timeoutMs: 2_000,
      request: {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=b',
      },
    });
    server.handle((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      const { accept, connection } = request.headers;
      request.on('end', () =>
        response.end(JSON.stringify({ method: request.method, accept, connection, body })),
      );
    });
    expect(await fetched).toEqual({
      method: 'POST',
      accept: 'application/json',
      connection: 'keep-alive',
      body: 'a=b',
    });
    await server.stop();
  });

  it.each([201, 204, 400, 404, 500, 503])('fails by the status %d (AUTH-12)', async (status) => {
    issuer.keyEndpoint.answer({ status, body: status === 204 ? '' : { keys: [] } });
    const failure = await failureOf();
    expect(failure).toMatchObject({ status, message: `"${issuer.jwksUrl}" responded with status ${status}` });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect of status %d (SAFE-02)', async (status) => {
    const other = await TestIssuer.start();
    issuer.keyEndpoint.answer({ status, headers: { location: other.jwksUrl } });
    expect(await failureOf()).toMatchObject({
      message: `"${issuer.jwksUrl}" responded with status ${status}, but redirects are not followed`,
    });
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  it.each(['', 'null', '[]', '"text"', '5', 'true', '{', '{}{}', '<html></html>', '\u0000'])(
    'fails where %j is sent (AUTH-12)',
    async (body) => {
      issuer.keyEndpoint.answer({ body });
      expect(await failureOf()).toMatchObject({
        message: `"${issuer.jwksUrl}" did not respond with a JSON object`,
      });
    },
  );

  it('fails where what is sent is no UTF-8 (AUTH-12)', async () => {
    const server = await TestServer.start();
    server.handle((_, response) => response.end(Buffer.from('{"a":"\xff"}', 'latin1')));
    expect(await failureOf(server.url)).toMatchObject({ message: expect.stringContaining('JSON object') });
    await server.stop();
  });

  it('fails where a byte order mark comes first (AUTH-12)', async () => {
    const server = await TestServer.start();
    server.handle((_, response) => response.end('\uFEFF{"a":1}'));
    expect(await failureOf(server.url)).toMatchObject({ message: expect.stringContaining('JSON object') });
    await server.stop();
  });

  it('takes 512 KiB and not a byte more (SAFE-02)', async () => {
    const fill = (bytes: number) => ({ body: `{"a":"${'x'.repeat(bytes - 8)}"}` });
    issuer.keyEndpoint.answer(fill(512 * KIBIBYTE));
    expect(await fetchDocument(issuer.jwksUrl, { timeoutMs: 2_000 })).toHaveProperty('a');
    issuer.keyEndpoint.answer(fill(512 * KIBIBYTE + 1));
    expect(await failureOf()).toMatchObject({
      message: `"${issuer.jwksUrl}" sent more than 524288 bytes in one response`,
    });
  });

  it('stops reading what has no end (SAFE-02)', async () => {
    issuer.keyEndpoint.overflow();
    expect((await failureOf()).message).toContain('sent more than ');
  });

  it('counts what a compressed answer becomes (SAFE-02)', async () => {
    const server = await TestServer.start();
    const bomb = gzipSync(Buffer.alloc(4 * KIBIBYTE * KIBIBYTE, ' '));
    server.handle((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect((await failureOf(server.url)).message).toContain('sent more than 524288 bytes');
    await server.stop();
  });

  it.each(['hang', 'stall'] as const)(
    'waits no longer than it may for a server that is at a %s (AUTH-12)',
    async (how) => {
      issuer.keyEndpoint[how]();
      const begun = performance.now();
      expect(await failureOf(issuer.jwksUrl, 100)).toMatchObject({
        message: `"${issuer.jwksUrl}" did not respond within 100 ms`,
      });
      expect(performance.now() - begun).toBeLessThan(2_000);
    },
  );

  it('says why a server cannot be reached (AUTH-12)', async () => {
    await issuer.stop();
    const failure = await failureOf();
    expect(failure.message).toBe(`"${issuer.jwksUrl}" cannot be reached: ECONNREFUSED`);
    expect(failure.cause).toMatchObject({ message: 'fetch failed' });
    expect(failure.status).toBeUndefined();
  });

  it('names no query, which may be a secret (AUTH-15)', async () => {
    const failure = await failureOf(`${issuer.jwksUrl}?code=hush#hush`);
    expect(failure.message).toBe(`"${issuer.jwksUrl}" responded with status 404`);
  });

  it('is traced where a trace is given, failures too (TRACE-03)', async () => {
    const traced: string[] = [];
    const trace = {
      runFetch: <Result>(url: string, act: () => Promise<Result>) => {
        traced.push(url);
        return act();
      },
    };
    await fetchDocument(issuer.jwksUrl, { timeoutMs: 2_000, trace });
    issuer.breakDown();
    await expect(fetchDocument(issuer.jwksUrl, { timeoutMs: 2_000, trace })).rejects.toThrow(DocumentError);
    expect(traced).toEqual([issuer.jwksUrl, issuer.jwksUrl]);
  });
});
