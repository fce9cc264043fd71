import 'reflect-metadata';
import type { ServerResponse } from 'node:http';

import { Body, Controller, Get, Module, Post, Res } from '@nestjs/common';

import { buildResults } from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings } from './serve.js';

const { wire, tools, variant } = readSettings();
const bodies = new Map(
  Object.entries(buildResults(wire, tools)).map(([method, result]) => [method, JSON.stringify(result)]),
);
const streams = new Set<ServerResponse>();

/** What Fastify hands to `@Res()`, as far as it is used here. */
interface FastifyReply {
  raw: ServerResponse;
  code(status: number): this;
  type(mediaType: string): this;
  send(body: string): this;
  hijack(): this;
}

/** Writes to the response itself: bytes that were made beforehand, and streams that nothing stands behind. */
@Controller('mcp')
class RawController {
  @Post()
  answer(
    @Body() { id, method }: { id: number; method: string },
    @Res() response: ServerResponse | FastifyReply,
  ): void {
    const body = `{"jsonrpc":"2.0","id":${id},"result":${bodies.get(method)}}`;
    if ('raw' in response) return void response.code(200).type('application/json').send(body);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  }

  @Get()
  open(@Res() response: ServerResponse | FastifyReply): void {
    if ('raw' in response) response.hijack();
    const stream = 'raw' in response ? response.raw : response;
    stream.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    stream.flushHeaders();
    streams.add(stream);
    stream.on('close', () => streams.delete(stream));
  }
}

@Module({ controllers: [RawController] })
class RawModule {}

await serveNest(RawModule, { variant });
