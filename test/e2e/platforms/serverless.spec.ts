import 'reflect-metadata';
import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type INestApplication } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import awsLambdaFastify from '@fastify/aws-lambda';
import { ServerlessAdapter } from '@h4ad/serverless-adapter';
import { ApiGatewayV2Adapter } from '@h4ad/serverless-adapter/adapters/aws';
import { ExpressFramework } from '@h4ad/serverless-adapter/frameworks/express';
import { DefaultHandler } from '@h4ad/serverless-adapter/handlers/default';
import { PromiseResolver } from '@h4ad/serverless-adapter/resolvers/promise';
import { McpStats, McpModule, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';

const require = createRequire(import.meta.url);
const serverless = require('serverless-http') as (app: unknown) => Handler;
const serverlessExpress = require('@codegenie/serverless-express') as (options: object) => Handler;

/** The part of the result of a function behind an HTTP API that counts here. */
interface LambdaResult {
  readonly statusCode: number;
  readonly body: string;
}

type Handler = (event: object, context: object) => Promise<unknown>;

@Injectable()
class EchoTools {
  @Tool({ description: 'Returns a text', inputSchema: z.object({ text: z.string() }) })
  echo({ text }: { text: string }): string {
    return text;
  }

  @Tool({ description: 'Reports progress first', inputSchema: z.object({}) })
  report(_args: object, context: McpContext): string {
    context.progress(1, 2);
    return 'reported';
  }
}

/** It decodes chunks that Fastify has decoded, so that a response which was written in parts comes out empty. */
const LOSES_STREAMS = 'serverless-http on Fastify';

/** How each adapter makes a function of an application that has been initialized. */
const PLATFORMS: readonly (readonly [string, () => AbstractHttpAdapter, (instance: never) => Handler])[] = [
  [
    '@codegenie/serverless-express on Express',
    () => new ExpressAdapter(),
    (app) => serverlessExpress({ app }),
  ],
  ['serverless-http on Express', () => new ExpressAdapter(), (app) => serverless(app)],
  [LOSES_STREAMS, () => new FastifyAdapter(), (app) => serverless(app)],
  [
    '@h4ad/serverless-adapter on Express',
    () => new ExpressAdapter(),
    (app) =>
      ServerlessAdapter.new(app)
        .setFramework(new ExpressFramework())
        .setHandler(new DefaultHandler())
        .setResolver(new PromiseResolver())
        .addAdapter(new ApiGatewayV2Adapter())
        .build(),
  ],
  ['@fastify/aws-lambda on Fastify', () => new FastifyAdapter(), (app) => awsLambdaFastify(app) as Handler],
];

describe.each(PLATFORMS)('A server behind %s', (name, createAdapter, createHandler) => {
  const apps: INestApplication[] = [];
  let handler: Handler;

  async function start(): Promise<Handler> {
    const module = {
      module: class AppModule {},
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'echo', version: '1.0.0' },
          publicUrl: 'https://example.com/mcp',
        }),
      ],
      providers: [EchoTools],
    };
    const app = await NestFactory.create(module, createAdapter(), { logger: false, abortOnError: false });
    await app.init();
    apps.push(app);
    return createHandler(app.getHttpAdapter().getInstance() as never);
  }

  beforeEach(async () => {
    handler = await start();
  });

  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });

  it('serves twenty calls, one after another (PLAT-01)', async () => {
    const texts: string[] = [];
    for (let count = 0; count < 20; count += 1) texts.push(await echo(handler, `call ${count}`));
    expect(texts).toEqual(Array.from({ length: 20 }, (_, count) => `call ${count}`));
  });

  it('serves twenty calls at once (PLAT-01)', async () => {
    const counts = Array.from({ length: 20 }, (_, count) => `call ${count}`);
    expect(await Promise.all(counts.map((text) => echo(handler, text)))).toEqual(counts);
  });

  it('counts no memory once they are served (PLAT-01)', async () => {
    await Promise.all(['a', 'b', 'c'].map((text) => echo(handler, text)));
    expect(apps[0]?.get(McpStats).read().memoryBytes.used).toBe(0);
  });

  if (name !== LOSES_STREAMS)
    it('sends progress before the result (PLAT-01)', async () => {
      for (let count = 0; count < 3; count += 1) {
        const { statusCode, body } = await call(handler, 'report', {}, { progressToken: 'p' });
        expect({ statusCode, messages: readEvents(body).map(({ method, id }) => method ?? id) }).toEqual({
          statusCode: 200,
          messages: ['notifications/progress', 1],
        });
      }
    });

  it('leaves another server of the process alone (PLAT-01)', async () => {
    const other = await start();
    for (let count = 0; count < 3; count += 1) await echo(handler, 'first');
    expect(await echo(other, 'second')).toBe('second');
  });
});

async function echo(handler: Handler, text: string): Promise<string> {
  const { statusCode, body } = await call(handler, 'echo', { text });
  if (statusCode !== 200) return `${statusCode} ${body}`;
  const { result } = JSON.parse(body) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? body;
}

async function call(handler: Handler, name: string, args: object, meta = {}): Promise<LambdaResult> {
  const params = {
    name,
    arguments: args,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...meta,
    },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const event = buildEvent(body, { 'mcp-method': 'tools/call', 'mcp-name': name });
  const {
    body: text,
    isBase64Encoded,
    ...result
  } = (await handler(event, {})) as LambdaResult & {
    isBase64Encoded?: boolean;
  };
  return { ...result, body: isBase64Encoded === true ? Buffer.from(text, 'base64').toString() : text };
}

function readEvents(body: string): { method?: string; id?: number }[] {
  return body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as { method?: string; id?: number });
}

/** An event of an HTTP API, payload format 2.0. */
function buildEvent(body: string, headers: Record<string, string>): object {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/mcp',
    rawQueryString: '',
    headers: {
      host: 'example.com',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      ...headers,
    },
    requestContext: {
      http: { method: 'POST', path: '/mcp', protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 't' },
      domainName: 'example.com',
      stage: '$default',
      time: '12/Mar/2026:19:03:58 +0000',
      timeEpoch: 1_773_342_238_000,
      requestId: 'r',
      accountId: '1',
      apiId: 'a',
    },
    body,
    isBase64Encoded: false,
  };
}
