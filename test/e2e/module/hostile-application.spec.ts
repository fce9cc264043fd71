import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Injectable, Post } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { McpNotifier, Resource, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import {
  RefusingPipe,
  TeapotFilter,
  WrappingInterceptor,
} from '../../support/applications/hostile-enhancers.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, post, type SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { sendHttp } from '../../support/clients/raw-http.js';

@Injectable()
class DeskHandlers {
  @Tool({
    description: 'Repeats',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  })
  repeat({ text }: { text: string }, context: McpContext): string {
    context.progress(1);
    return text;
  }

  @Tool({ description: 'Throws' })
  crash(): string {
    throw new Error('crashed');
  }

  @Resource({ uri: 'desk://broken' })
  broken(): string {
    throw new Error('broken');
  }
}

@Controller('own')
class OwnController {
  @Get()
  get(): object {
    return { own: true };
  }

  @Get('failing')
  fail(): never {
    throw new Error('failed');
  }

  @Post()
  post(@Body() body: unknown): unknown {
    return body;
  }
}

describe.each(ADAPTERS)('an application that meddles with every answer on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootHostile(adapter);
    session = await initialize(desk.url);
  });

  afterAll(() => desk.close());

  it('leaves results of the server as they are (MOD-09)', async () => {
    expect((await session.request('ping')).response).toEqual({
      jsonrpc: '2.0',
      id: expect.anything(),
      result: {},
    });
    const answers = [
      await session.request('tools/call', { name: 'repeat', arguments: { text: 'same' } }),
      await perRequest(desk.url).request('tools/call', { name: 'repeat', arguments: { text: 'same' } }),
    ];
    for (const { status, result } of answers) {
      expect([status, result?.['content']]).toEqual([200, [{ type: 'text', text: 'same' }]]);
    }
  });

  it('leaves streams of the server as they are (MOD-09)', async () => {
    const params = { name: 'repeat', arguments: { text: 'same' }, _meta: { progressToken: 1 } };
    const answer = await session.request('tools/call', params);
    expect(answer.notifications).toHaveLength(1);
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'same' }]);
    const stream = await session.openStream();
    desk.app.get(McpNotifier).toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    expect(stream.events.flatMap(({ data }) => (data ? [JSON.parse(data)] : []))).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    ]);
    await stream.close();
  });

  it('leaves failures of handlers as they are (MOD-09)', async () => {
    const crash = await session.request('tools/call', { name: 'crash' });
    const broken = await session.request('resources/read', { uri: 'desk://broken' });
    const invalid = await session.request('tools/call', { name: 'repeat', arguments: {} });
    expect([crash.status, crash.result?.['isError']]).toEqual([200, true]);
    expect([broken.status, broken.error?.code]).toEqual([200, -32603]);
    expect([invalid.status, invalid.result?.['isError']]).toEqual([200, true]);
  });

  it('leaves refusals of the server as they are (MOD-09)', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const json = { 'content-type': 'application/json' };
    const answers = [
      await sendHttp(desk.url, { method: 'POST', body: '{', headers: json }),
      await post(desk.url, []),
      await post(desk.url, ping),
      await post(desk.url, ping, { 'mcp-session-id': 'unknown' }),
      await post(desk.url, ping, { 'content-type': 'text/plain' }),
      await post(desk.url, ping, { origin: 'https://evil.example' }),
      await post(desk.url, ping, { accept: 'text/html' }),
      await sendHttp(desk.url, { method: 'PUT' }),
      await post(desk.url, { ...ping, params: { big: 'x'.repeat(5000) } }, session.headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404, 415, 403, 406, 405, 413]);
    for (const { json: body } of answers) {
      expect(body).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    }
  });

  it('leaves a missing method of the stateless wire as it is (MOD-09)', async () => {
    const answer = await perRequest(desk.url).request('ping');
    expect([answer.status, answer.error?.code]).toEqual([404, -32601]);
  });

  it('has its own routes as it wants them (MOD-09)', async () => {
    const own = `${desk.origin}/own`;
    const answers = [
      await sendHttp(own),
      await sendHttp(`${own}/failing`),
      await sendHttp(own, { json: { any: 1 } }),
      await sendHttp(`${desk.origin}/missing`),
    ];
    expect(answers.map(({ status, json }) => [status, json])).toEqual([
      [200, { wrapped: { own: true } }],
      [418, { teapot: true }],
      [418, { teapot: true }],
      [418, { teapot: true }],
    ]);
  });

  it('has its interceptor run once for a request to the server, and on no handler (MOD-03, MOD-09)', async () => {
    const interceptor = desk.app.get(WrappingInterceptor);
    const { calls } = interceptor;
    await session.request('tools/call', { name: 'repeat', arguments: { text: 'same' } });
    expect(interceptor.calls).toBe(calls + 1);
  });
});

describe.each(ADAPTERS)('an application with a body parser of its own on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootHostile(adapter, (request, response, next) => {
      // What a parser with a tiny limit does to every body that it knows how to read.
      if (request.headers['content-type'] === undefined) return next();
      response.statusCode = 413;
      response.end('too large for this parser');
    });
  });

  afterAll(() => desk.close());

  it('keeps it to its own routes (MOD-09)', async () => {
    const session = await initialize(desk.url);
    const params = { name: 'repeat', arguments: { text: 'x'.repeat(1000) } };
    expect((await session.request('tools/call', params)).result?.['content']).toHaveLength(1);
    expect((await sendHttp(`${desk.origin}/own`, { json: { any: 1 } })).text).toBe(
      'too large for this parser',
    );
  });
});

interface ParsedRequest {
  readonly headers: JsonObject;
}

interface EndedResponse {
  statusCode: number;
  end(text: string): void;
}

type Middleware = (request: ParsedRequest, response: EndedResponse, next: () => void) => void;

function bootHostile(adapter: AdapterName, parser?: Middleware): Promise<RunningApp> {
  return bootServer({
    adapter,
    options: { limits: { bodyBytes: 4000 } },
    controllers: [OwnController],
    providers: [DeskHandlers, WrappingInterceptor],
    configure: (app) => {
      if (parser) app.use(parser);
      app.useGlobalFilters(new TeapotFilter(app.get(HttpAdapterHost)));
      app.useGlobalInterceptors(app.get(WrappingInterceptor));
      app.useGlobalPipes(new RefusingPipe());
    },
  });
}
