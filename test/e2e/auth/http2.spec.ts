import {
  connect,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Claims, McpModule, RequireScope, Tool } from 'nestjs-mcp';
import { PER_REQUEST_VERSION } from '../../support/json-rpc.js';
import { metaKey } from '../../support/message.js';
import { authorize, CALLERS, METADATA, PUBLISHED } from '../../support/protected-desk.js';
import { within } from '../../support/until.js';

@Injectable()
class DeskTools {
  @Tool({ description: 'Closes a ticket' })
  @RequireScope('desk:write')
  close(@Claims('sub') subject: string): string {
    return `closed by ${subject}`;
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      auth: { ...PUBLISHED, bearer: Object.values(CALLERS) },
    }),
  ],
  providers: [DeskTools],
})
class DeskModule {}

const META = { [metaKey('protocolVersion')]: PER_REQUEST_VERSION, [metaKey('clientCapabilities')]: {} };
const BODY = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'close', _meta: META } };

describe('A server that asks for tokens over HTTP/2', () => {
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

  async function call(token?: string): Promise<{ status: unknown; challenge: unknown; text: string }> {
    const stream = client.request({
      ':method': 'POST',
      ':path': '/mcp',
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-protocol-version': PER_REQUEST_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': 'close',
      ...authorize(token),
    });
    let head: IncomingHttpHeaders & IncomingHttpStatusHeader = {};
    stream.on('response', (headers) => (head = headers));
    stream.setEncoding('utf8').end(JSON.stringify(BODY));
    const read = async () => {
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      return text;
    };
    const text = await within(read(), 'the end of a response');
    return { status: head[':status'], challenge: head['www-authenticate'], text };
  }

  it('refuses requests without a token, and with a bad one (AUTH-01, AUTH-14)', async () => {
    const challenge = `Bearer resource_metadata="${METADATA}", scope="desk:write"`;
    expect(await call()).toMatchObject({ status: 401, challenge });
    expect(await call('not-a-token')).toMatchObject({
      status: 401,
      challenge: `${challenge}, error="invalid_token"`,
    });
  });

  it('asks for scopes, and serves who has them (AUTH-10, STEP-02)', async () => {
    const { status, challenge, text } = await call(CALLERS.bob.token);
    expect([status, challenge]).toEqual([403, expect.stringContaining('scope="desk:write"')]);
    expect(text).toContain('insufficient_scope: desk:write');
    expect(await call(CALLERS.ada.token)).toMatchObject({
      status: 200,
      text: expect.stringContaining('closed by ada'),
    });
  });
});
