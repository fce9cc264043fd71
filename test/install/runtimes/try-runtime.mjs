/** Serves a tool of the package, and calls it as clients do: with and without a session, twenty times in turn and at once, with progress. */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, Tool } from 'nestjs-mcp';
import { z } from 'zod';

class Dice {
  roll({ count }, context) {
    context.progress(1, 2);
    return { total: count };
  }
}

const roll = Tool({ description: 'Rolls dice with one side', inputSchema: z.object({ count: z.int() }) });
roll(Dice.prototype, 'roll', Object.getOwnPropertyDescriptor(Dice.prototype, 'roll'));
Injectable()(Dice);

class AppModule {}
Module({
  imports: [McpModule.forRoot({ serverInfo: { name: 'dice', version: '1.0.0' } })],
  providers: [Dice],
})(AppModule);

/** In a function, since files of CommonJS cannot wait at their top. */
async function main() {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  await app.listen(0, '127.0.0.1');
  const url = new URL(`${await app.getUrl()}/mcp`);

  for (const mode of ['auto', 'legacy']) {
    const client = new Client({ name: 'tried', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    const steps = [];
    const call = (count) =>
      client.callTool(
        { name: 'roll', arguments: { count } },
        { onprogress: ({ progress }) => steps.push(progress) },
      );
    const counts = Array.from({ length: 20 }, (_, index) => index);
    for (const count of counts) assert.deepEqual((await call(count)).structuredContent, { total: count });
    const answers = await Promise.all(counts.map(call));
    assert.deepEqual(
      answers.map(({ structuredContent }) => structuredContent.total),
      counts,
    );
    assert.equal(steps.length, 2 * counts.length);
    await client.close();
  }

  await app.close();
  // What prints it is told from a process that did nothing.
  console.log('served');
  process.exit();
}

void main();
