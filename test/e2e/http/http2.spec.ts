import { constants } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Tool, type McpContext } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { Http2Client } from '../../support/clients/http2-client.js';

const TRANSFER_TIMEOUT_MS = 200;
const BODY_BYTES = 4096;

@Injectable()
class ReportingTools {
  @Tool({ description: 'Reports' })
  report(_: object, context: McpContext): string {
    context.progress(1);
    return 'done';
  }

  @Tool({ description: 'Reports more at once than may wait for a reader' })
  async lecture(_: object, context: McpContext): Promise<string> {
    context.progress(1, 2, 'x'.repeat(8_000_000));
    for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    return 'lectured';
  }

  @Tool({ description: 'Takes longer than a body may take to come' })
  async ponder(): Promise<string> {
    await delay(3 * TRANSFER_TIMEOUT_MS);
    return 'pondered';
  }
}

describe('the endpoint over HTTP/2', () => {
  let desk: RunningApp;
  let client: Http2Client;

  beforeAll(async () => {
    desk = await bootServer({
      adapter: new FastifyAdapter({ http2: true }),
      options: { limits: { transferTimeoutMs: TRANSFER_TIMEOUT_MS, bodyBytes: BODY_BYTES } },
      providers: [ReportingTools],
    });
    client = new Http2Client(desk.origin);
  });

  afterAll(async () => {
    client.close();
    await desk.close();
  });

  it('answers with a stream where something comes before the response (HTTP-02)', async () => {
    const { status, text } = await client.callTool('report');
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(/"notifications\/progress"[^]*"text":"done"/),
    ]);
  });

  it('leaves its stream to a reader that reads, however long one message is (HTTP-08)', async () => {
    const { status, text } = await client.callTool('lecture');
    expect([status, text.length > 8_000_000, text.includes('"text":"lectured"')]).toEqual([200, true, true]);
  });

  it('takes no call that lasts for a body that is late (HTTP-07)', async () => {
    const { status, text } = await client.callTool('ponder');
    expect([status, text]).toEqual([200, expect.stringContaining('pondered')]);
  });

  it('ends the stream of a body that is late, once that is answered (HTTP-07)', async () => {
    expect(await client.leaveOpen('{')).toEqual({ status: 408, code: constants.NGHTTP2_NO_ERROR });
  });

  it('ends the stream of a body that is too long and goes on, once that is answered (HTTP-07)', async () => {
    const answer = await client.leaveOpen('x'.repeat(BODY_BYTES + 1));
    expect(answer).toEqual({ status: 413, code: constants.NGHTTP2_NO_ERROR });
  });

  it('has its host checked (HTTP-06)', async () => {
    expect((await client.callTool('report', { ':authority': 'localhost:3000' })).status).toBe(200);
    expect((await client.callTool('report', { ':authority': 'evil.example' })).status).toBe(403);
    expect(
      (await client.callTool('report', { ':authority': 'evil.example', host: 'localhost' })).status,
    ).toBe(403);
  });
});
