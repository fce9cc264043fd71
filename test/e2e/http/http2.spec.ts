import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, Tool, type McpContext } from 'nestjs-mcp';
import { PER_REQUEST_VERSION } from '../../support/json-rpc.js';
import { metaKey } from '../../support/message.js';
import { within } from '../../support/until.js';

@Injectable()
class DeskTools {
  @Tool({ description: 'Reports' })
  report(_: object, context: McpContext): string {
    context.progress(1);
    return 'done';
  }
}

@Module({
  imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
  providers: [DeskTools],
})
class DeskModule {}

const META = {
  [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
  [metaKey('clientCapabilities')]: {},
  progressToken: 1,
};

describe('the endpoint over HTTP/2', () => {
  let app: INestApplication;
  let client: ClientHttp2Session;

  beforeAll(async () => {
    app = await NestFactory.create(DeskModule, new FastifyAdapter({ http2: true }), { logger: false });
    await app.listen(0, '127.0.0.1');
    client = connect(await app.getUrl());
  });

  afterAll(async () => {
    client.destroy();
    await app.close();
  });

  async function call(headers: OutgoingHttpHeaders = {}): Promise<{ status: unknown; text: string }> {
    const stream = client.request({
      ':method': 'POST',
      ':path': '/mcp',
      'content-type': 'application/json',
      'mcp-protocol-version': PER_REQUEST_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': 'report',
      ...headers,
    });
    let status: unknown;
    stream.on('response', (head) => (status = head[':status']));
    const params = { name: 'report', _meta: META };
    stream.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    stream.setEncoding('utf8');
    const read = async () => {
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      return text;
    };
    const text = await within(read(), 'the end of a response');
    return { status, text };
  }

  it('answers with a stream where something comes before the response (HTTP-02)', async () => {
    const { status, text } = await call();
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(/"notifications\/progress"[^]*"text":"done"/),
    ]);
  });

  it('has its host checked (HTTP-06)', async () => {
    expect((await call({ ':authority': 'localhost:3000' })).status).toBe(200);
    expect((await call({ ':authority': 'evil.example' })).status).toBe(403);
    expect((await call({ ':authority': 'evil.example', host: 'localhost' })).status).toBe(403);
  });
});
