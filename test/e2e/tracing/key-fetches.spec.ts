import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { recordAmbientTraces } from '../../support/records/ambient-traces.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';
import { bootDesk } from './traced-desk.js';

describe('the spans of key fetches', () => {
  let requests: RecordedTraces;
  let fetches: RecordedTraces;
  /** What the application records by the provider that it registered. */
  const ambient = recordAmbientTraces();
  let issuer: TestIssuer;
  let desk: RunningApp | undefined;

  beforeEach(async () => {
    requests = new RecordedTraces();
    fetches = new RecordedTraces();
    issuer = await TestIssuer.start();
  });

  afterEach(async () => {
    await desk?.close();
    await issuer.stop();
  });

  async function callTwice(): Promise<number[]> {
    const headers = { authorization: `Bearer ${await issuer.token()}` };
    const client = perRequest(desk?.url ?? '', { headers });
    const first = await client.request('tools/list');
    return [first.status, (await client.request('tools/list')).status];
  }

  it('go to the provider that is given for them alone (TRACE-03)', async () => {
    desk = await bootDesk({ issuer, tracing: { jwksTracerProvider: fetches.provider } });
    expect(await callTwice()).toEqual([200, 200]);
    const ofClient = { name: 'auth.jwks_fetch', kind: SpanKind.CLIENT };
    expect(fetches.spans).toMatchObject(issuer.requests.map(() => ofClient));
    expect(fetches.spans.map(({ attributes }) => attributes['url.full'])).toEqual(
      issuer.requests.map((path) => `${issuer.origin}${path}`),
    );
    expect(fetches.spans.at(-1)?.attributes['url.full']).toBe(issuer.jwksUrl);
    expect(ambient.spans).toEqual([]);
  });

  it('stand below the look-up that has to wait for them (TRACE-03)', async () => {
    const tracing = { tracerProvider: requests.provider, jwksTracerProvider: fetches.provider };
    desk = await bootDesk({ issuer, tracing });
    expect(await callTwice()).toEqual([200, 200]);
    const lookup = await requests.span('auth.jwks_lookup');
    expect(fetches.spans.at(-1)?.parentSpanContext?.spanId).toBe(lookup.spanContext().spanId);
    expect(requests.spans.map(({ name }) => name)).not.toContain('auth.jwks_fetch');
  });

  it('say that the issuer does not answer (TRACE-03)', async () => {
    desk = await bootDesk({ issuer, tracing: { jwksTracerProvider: fetches.provider } });
    issuer.breakDown();
    expect(await callTwice()).toEqual([503, 503]);
    expect(fetches.spans[0]?.status.code).toBe(SpanStatusCode.ERROR);
  });

  it('are not there where only requests are traced (TRACE-03)', async () => {
    desk = await bootDesk({ issuer, tracing: { tracerProvider: requests.provider } });
    expect(await callTwice()).toEqual([200, 200]);
    await requests.span('tools/list');
    expect(requests.spans.map(({ name }) => name)).not.toContain('auth.jwks_fetch');
    expect(ambient.spans).toEqual([]);
  });

  it('are not there, nor any other, where nothing is traced (TRACE-01)', async () => {
    desk = await bootDesk({ issuer });
    expect(await callTwice()).toEqual([200, 200]);
    expect(issuer.fetches).toBeGreaterThan(0);
    expect(ambient.spans).toEqual([]);
  });
});
