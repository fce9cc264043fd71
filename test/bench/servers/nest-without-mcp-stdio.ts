import 'reflect-metadata';
import { createInterface } from 'node:readline';

import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { declareProvider } from './declare-provider.js';
import { buildResults } from './fixtures.js';
import { readSettings } from './serve.js';

const { wire, tools } = readSettings();
const results = buildResults(wire, 0);

@Module({ providers: [declareProvider(tools)] })
class BenchModule {}

await NestFactory.createApplicationContext(BenchModule, { logger: false });
createInterface(process.stdin).on('line', answer);

/** Answers what the library would have answered. */
function answer(line: string): void {
  const { id, method } = JSON.parse(line) as { id?: number; method: string };
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] })}\n`);
}
