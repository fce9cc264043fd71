import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { context, propagation, type ContextManager } from '@opentelemetry/api';
import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { getMcpClientToken, McpClientModule, type McpClient } from 'nestjs-mcp/client-module';
import { NestFactory } from '@nestjs/core';
import { ADAPTERS } from '../../support/applications/boot.js';
import { post } from '../../support/clients/json-rpc.js';
import { CapturedLog } from '../../unit/support/captured-log.js';
import { HOSTILE } from './hostile-observers.js';
import { bootRecordedDesk, connect, WAYS, type RecordedDesk } from './recorded-desk.js';

/** What fails only when there is something to record. */
const LATER = /processor|sampler|tracer that|spans that|instruments that/;

describe('Telemetry that fails', () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  let desk: RecordedDesk;

  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', note).on('uncaughtException', note);
  });

  afterEach(async () => {
    await desk.close();
    await desk.metrics.stop();
    // A rejection that nobody hears of ends a process in a later turn.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    process.off('unhandledRejection', note).off('uncaughtException', note);
    context.disable();
    propagation.disable();
    Logger.overrideLogger(['fatal']);
    if (unhandled.length > 0) throw new AggregateError(unhandled, 'Nobody handled these');
  });

  async function use(client: Client): Promise<void> {
    expect(await client.callTool({ name: 'echo', arguments: { text: 'hello' } })).toMatchObject({
      content: [{ text: 'hello' }],
    });
    expect(await client.callTool({ name: 'refuse', arguments: {} })).toMatchObject({ isError: true });
    expect(await client.callTool({ name: 'ask', arguments: {} })).toMatchObject({
      content: [{ text: 'decline' }],
    });
    await expect(client.callTool({ name: 'burn', arguments: {} })).rejects.toThrow('The desk burns');
    await expect(client.readResource({ uri: 'desk://none' })).rejects.toThrow('not found');
    await expect(client.request({ method: 'made/up' }, z.object({}))).rejects.toThrow('made/up');
    await client.ping();
  }

  describe.each(Object.keys(HOSTILE))('as %s', (name) => {
    it.each(name.includes('processor') ? Object.keys(WAYS) : ['streamable HTTP', 'in-process'])(
      'harms no request over %s, and is logged once a minute (OPS-01)',
      async (way) => {
        desk = await bootRecordedDesk({
          telemetry: { meterProvider: undefined, tracerProvider: undefined, ...HOSTILE[name]?.() },
        });
        const log = CapturedLog.begin();
        const client = await connect((await WAYS[way]?.(desk)) as never);
        await use(client);
        await client.close();
        const lines = log.errors.filter((line) => line.includes('the observed operation continues'));
        // What a provider does when the server starts is logged then.
        expect(lines).toHaveLength(LATER.test(name) ? 1 : 0);
      },
    );

    it.each(ADAPTERS)('harms no refusal on %s (OPS-01)', async (adapter) => {
      desk = await bootRecordedDesk({
        adapter,
        telemetry: { meterProvider: undefined, tracerProvider: undefined, ...HOSTILE[name]?.() },
      });
      const answers = await Promise.all([
        post(desk.url, {}, { origin: 'https://evil.example' }),
        post(desk.url, [], {}),
        post(desk.url, {}, { 'content-type': 'text/plain' }),
        post(desk.url, { jsonrpc: '2.0', id: 1, method: 'tools/call' }, { 'mcp-session-id': 'unknown' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 400, 415, 404]);
    });

    it('harms no injected client (OPS-01)', async () => {
      desk = await bootRecordedDesk();
      const telemetry = HOSTILE[name]?.();
      const application = await NestFactory.createApplicationContext(
        {
          module: class ClientApp {},
          imports: [McpClientModule.forRoot([{ name: 'desk', url: desk.url, telemetry }])],
        },
        { logger: false },
      );
      const client = application.get<McpClient>(getMcpClientToken('desk'));
      expect(await client.callTool('echo', { text: 'hello' })).toMatchObject({
        content: [{ text: 'hello' }],
      });
      await application.close();
    });
  });

  const fail = (): never => {
    throw new Error('the observer is broken');
  };

  it.each(Object.keys(WAYS))('as a context manager harms no request over %s (OPS-01)', async (way) => {
    const broken: ContextManager = {
      active: fail,
      with: fail,
      bind: fail,
      enable: () => broken,
      disable: () => broken,
    };
    context.setGlobalContextManager(broken);
    desk = await bootRecordedDesk();
    const client = await connect((await WAYS[way]?.(desk)) as never);
    // Whatever a handler asks of its own is up to the handler.
    expect(await client.callTool({ name: 'refuse', arguments: {} })).toMatchObject({ isError: true });
    expect(await client.callTool({ name: 'ask', arguments: {} })).toMatchObject({
      content: [{ text: 'decline' }],
    });
    await client.close();
  });

  it.each(Object.keys(WAYS))('as a propagator harms no request over %s (OPS-01)', async (way) => {
    propagation.setGlobalPropagator({ inject: fail, extract: fail, fields: fail });
    desk = await bootRecordedDesk();
    const client = await connect((await WAYS[way]?.(desk)) as never);
    const _meta = { traceparent: 'nonsense' };
    expect(await client.callTool({ name: 'ask', arguments: {}, _meta })).toMatchObject({
      content: [{ text: 'decline' }],
    });
    await client.close();
  });
});
