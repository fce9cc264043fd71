import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { measureHeap } from '../../support/heap.js';
import { initialize, PER_REQUEST_VERSION, type SessionClient } from '../../support/clients/json-rpc.js';
import { metaKey } from '../../support/clients/message.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { openHttp } from '../../support/clients/raw-http.js';
import { StalledReader } from '../../support/clients/stalled-reader.js';
import { until } from '../../support/until.js';

const MEGABYTE = 1024 * 1024;
const CHUNK = 'x'.repeat(MEGABYTE / 4);
const CHUNKS = 240;
const FLOOD = CHUNKS * CHUNK.length;
const ALLOWED_GROWTH = 24 * MEGABYTE;

@Injectable()
class FloodingTools {
  floods = 0;

  @Tool({ description: 'Reports without end' })
  async flood(_: object, context: McpContext): Promise<string> {
    for (let count = 1; count <= CHUNKS; count += 1) {
      context.progress(count, CHUNKS, `${count}${CHUNK}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.floods += 1;
    return 'flooded';
  }
}

describe.each(ADAPTERS)('readers that do not read on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: { streams: { maxQueuedBytes: MEGABYTE }, sessions: { eventLogCharacters: MEGABYTE } },
      providers: [FloodingTools],
    });
    notifier = desk.app.get(McpNotifier);
  });

  afterAll(() => desk.close());

  async function stall(session: SessionClient): Promise<StalledReader> {
    const headers = { accept: 'text/event-stream', ...session.headers };
    return new StalledReader(await openHttp(desk.url, { headers }));
  }

  /** Sends a lot to all sessions, a quarter of a megabyte at a time, each when the reader has the one before. */
  async function flood(reader?: EventStream): Promise<void> {
    for (let count = 0; count < CHUNKS; count += 1) {
      notifier.log('info', `${count}${CHUNK}`);
      await (reader === undefined
        ? new Promise((resolve) => setImmediate(resolve))
        : reader.nextMessage(({ params }) => String(params?.['data']).startsWith(`${count}x`)));
    }
  }

  it('lose their standing stream, and the server keeps no more than it may (HTTP-08)', async () => {
    const session = await initialize(desk.url);
    const reader = await stall(session);
    const before = measureHeap();
    await flood();
    expect(measureHeap() - before).toBeLessThan(ALLOWED_GROWTH);
    expect(await reader.drain()).toBeLessThan(FLOOD / 2);

    const stream = await until(
      () => session.openStream().catch(() => undefined),
      'a stream of their own again',
    );
    await stream.close();
    await session.delete();
  });

  it('take nothing from those that read (HTTP-08)', async () => {
    const [slow, quick] = [await initialize(desk.url), await initialize(desk.url)];
    const reader = await stall(slow);
    const stream = await quick.openStream();
    await flood(stream);
    expect(stream.isEnded).toBe(false);
    expect((await slow.request('ping')).result).toEqual({});
    await reader.drain();
    await stream.close();
  });

  it.each(['session', 'stateless wire'])('lose the stream of a call on the %s (HTTP-08)', async (wire) => {
    const headers =
      wire === 'session'
        ? (await initialize(desk.url)).headers
        : { 'mcp-protocol-version': PER_REQUEST_VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'flood' };
    const claim = {
      [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
      [metaKey('clientCapabilities')]: {},
    };
    const _meta = { progressToken: 1, ...(wire !== 'session' && claim) };
    const tools = desk.app.get(FloodingTools);
    const { floods } = tools;
    const before = measureHeap();
    const response = await openHttp(desk.url, {
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'flood', _meta } },
      headers: { accept: 'text/event-stream', ...headers },
    });
    const reader = new StalledReader(response);
    await until(() => tools.floods > floods, 'the end of the flood', 10_000);
    expect(measureHeap() - before).toBeLessThan(ALLOWED_GROWTH);
    expect(await reader.drain()).toBeLessThan(FLOOD / 2);
  });
});
