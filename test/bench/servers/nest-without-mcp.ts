import 'reflect-metadata';
import { Body, Controller, HttpCode, Injectable, Module, Post, type Type } from '@nestjs/common';

import { declareMethod } from './declare-method.js';
import { buildResults, buildToolDescriptions, searchTickets } from './fixtures.js';
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

/** The provider of the other programs, whose methods nobody looks for. */
function declareProvider(count: number): Type {
  class BenchTools {}
  for (const { name } of buildToolDescriptions(count)) {
    declareMethod(BenchTools, name, { handler: searchTickets, decorators: [] });
  }
  Injectable()(BenchTools);
  return BenchTools;
}
