import { Injectable, type Type } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';

import { declareMethod } from './declare-method.js';
import { buildToolDescriptions, searchArguments } from './fixtures.js';

/** Declares a provider with so many tools, one handler behind all of them. */
export function declareTools(count: number, handler: (...parameters: never[]) => unknown): Type {
  class BenchTools {}
  for (const tool of buildToolDescriptions(count)) {
    declareMethod(BenchTools, tool.name, {
      handler,
      decorators: [Tool({ ...tool, inputSchema: searchArguments })],
    });
  }
  Injectable()(BenchTools);
  return BenchTools;
}
