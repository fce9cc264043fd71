import { Injectable, type Type } from '@nestjs/common';

import { declareMethod } from './declare-method.js';
import { buildToolDescriptions, searchTickets } from './fixtures.js';

/** Declares the provider of the other programs, whose methods nobody looks for. */
export function declareProvider(count: number): Type {
  class BenchTools {}
  for (const { name } of buildToolDescriptions(count)) {
    declareMethod(BenchTools, name, { handler: searchTickets, decorators: [] });
  }
  Injectable()(BenchTools);
  return BenchTools;
}
