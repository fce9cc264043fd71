import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { recordCaller, endSpanOnClose } from '../../../../lib/server/auth/request-span.js';
import { type RequestSpan, RequestTracing } from '../../../../lib/server/telemetry/request-tracing.js';
import { RecordedTraces } from '../../../support/records/recorded-traces.js';
import { buildCaller } from '../../support/caller.js';
import { TestServer } from '../../support/http-server.js';

const traces = new RecordedTraces();
let span: RequestSpan;

beforeEach(async () => {
  traces.clear();
  span = (
    await RequestTracing.load({ provider: traces.provider, option: 'tracerProvider', logger: console })
  ).startRequest({});
});

describe('What a span says of a caller', () => {
  const attributesOf = async (...[claims, isCached]: [Parameters<typeof buildCaller>[0], boolean]) => {
    recordCaller(span, buildCaller(claims), isCached);
    span.end();
    return (await traces.span('mcp.request')).attributes;
  };

  it('is subject, issuer and scopes (TRACE-02)', async () => {
    const claims = { sub: 'ada', iss: 'https://login.example.com', scopes: ['a', 'b'] };
    expect(await attributesOf(claims, true)).toEqual({
      'mcp.auth.subject': 'ada',
      'mcp.auth.issuer': 'https://login.example.com',
      'mcp.auth.scopes': 'a,b',
      'mcp.auth.cache_hit': 'true',
    });
  });

  it('is no name where the token has none (TRACE-02)', async () => {
    expect(await attributesOf({}, false)).toEqual({ 'mcp.auth.scopes': '', 'mcp.auth.cache_hit': 'false' });
  });
});

describe('The span of a request', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await TestServer.start();
  });

  afterEach(() => server.stop());

  it('ends with the answer, and says its status (TRACE-02)', async () => {
    server.handle((_, response) => {
      endSpanOnClose(span, response);
      response.writeHead(403).end('over');
    });
    await fetch(server.url).then((response) => response.text());
    const { attributes } = await traces.span('mcp.request');
    expect(attributes).toEqual({ 'http.response.status_code': 403 });
  });

  it('does not end before its answer does (TRACE-02)', async () => {
    server.handle((_, response) => {
      endSpanOnClose(span, response);
      response.writeHead(200).flushHeaders();
    });
    const aborting = new AbortController();
    await fetch(server.url, { signal: aborting.signal });
    expect(traces.spans).toEqual([]);
    aborting.abort();
    expect((await traces.span('mcp.request')).attributes).toEqual({ 'http.response.status_code': 200 });
  });

  it('has no status where the client broke off before there was one (TRACE-02)', async () => {
    const aborting = new AbortController();
    server.handle((_, response) => {
      endSpanOnClose(span, response);
      aborting.abort();
    });
    await expect(fetch(server.url, { signal: aborting.signal })).rejects.toThrow('aborted');
    expect((await traces.span('mcp.request')).attributes).toEqual({});
  });

  it('ends at once where the answer is over already (TRACE-02)', async () => {
    const answered = new Promise<void>((resolve) => {
      server.handle((_, response) => {
        void once(response, 'close').then(() => {
          endSpanOnClose(span, response);
          return resolve();
        });
        response.end('over');
      });
    });
    await fetch(server.url).then((response) => response.text());
    await answered;
    expect(traces.spans).toHaveLength(1);
  });
});
