import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { ThrottlerModule } from '@nestjs/throttler';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { RecordedMetrics } from '../../support/records/recorded-metrics.js';
import { connect, WAYS } from '../telemetry/recorded-desk.js';
import { LimitedHandlers, MINUTE_MS } from './limited-desk.js';

const LIMITED = { code: -32023, data: { retryAfterMs: expect.any(Number), limit: 1, remaining: 0 } };

describe.each(Object.keys(WAYS))('A call too many over %s', (way) => {
  let desk: RunningApp;
  let metrics: RecordedMetrics;
  let client: Client;

  beforeAll(async () => {
    metrics = new RecordedMetrics();
    desk = await bootServer({
      options: { sse: true, telemetry: { meterProvider: metrics.provider } },
      imports: [ThrottlerModule.forRoot([{ ttl: MINUTE_MS, limit: 10 }])],
      providers: [LimitedHandlers],
    });
  });

  beforeEach(async () => {
    client = await connect(await WAYS[way]!(desk));
  });

  afterAll(async () => {
    await client.close();
    await desk.close();
    await metrics.stop();
  });

  it('is an error that says when to come again, and is counted (OPS-04) (OPS-02)', async () => {
    const call = () => client.callTool({ name: 'once', arguments: {} });
    expect(await call()).toMatchObject({ content: [{ text: 'once' }] });
    const error = (await call().catch((thrown: unknown) => thrown)) as {
      readonly data: { readonly text?: string };
    };
    // The official client has the body of an answer with status 429 as a text.
    const { text } = error.data;
    const told: unknown =
      text === undefined ? error : (JSON.parse(text) as { readonly error: unknown }).error;
    expect(told).toMatchObject(LIMITED);
    const [point] = await metrics.points('nestjs_mcp.requests.refused');
    expect(point).toMatchObject({ value: 1, attributes: { 'nestjs_mcp.refusal.reason': 'rate_limited' } });
  });
});
