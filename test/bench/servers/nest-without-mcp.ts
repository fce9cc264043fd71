import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';

import { declareProvider } from './declare-provider.js';
import { buildResults } from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings } from './serve.js';

const { wire, tools, variant } = readSettings();
const { 'tools/call': result } = buildResults(wire, 0);

/** Answers what the library would have answered. */
@Controller('mcp')
class AnswerController {
  @Post()
  @HttpCode(200)
  answer(@Body() { id }: { id: number }): object {
    return { jsonrpc: '2.0', id, result };
  }
}

@Module({ controllers: [AnswerController], providers: [declareProvider(tools)] })
class BenchModule {}

await serveNest(BenchModule, { variant });
