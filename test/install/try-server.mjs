/** Serves a tool of the package that is installed beside it, calls that as clients do, and looks where an error leads. */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describeServers, McpModule, Tool } from 'nestjs-mcp';
import { z } from 'zod';

const require = createRequire(import.meta.url);
const readVersion = (name) => require(`${name}/package.json`).version;

class Dice {
  roll({ count }) {
    return { total: count };
  }
}

const roll = Tool({ description: 'Rolls dice with one side', inputSchema: z.object({ count: z.int() }) });
roll(Dice.prototype, 'roll', Object.getOwnPropertyDescriptor(Dice.prototype, 'roll'));
Injectable()(Dice);

class AppModule {}
const server = McpModule.forRoot({ serverInfo: { name: 'dice', version: '1.0.0' } });
Module({ imports: [server], providers: [Dice] })(AppModule);

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
await app.listen(0, '127.0.0.1');
const url = `${await app.getUrl()}/mcp`;

for (const mode of ['auto', 'legacy']) {
  const client = new Client({ name: 'tried', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { structuredContent } = await client.callTool({ name: 'roll', arguments: { count: 3 } });
  assert.deepEqual(structuredContent, { total: 3 });
  await client.close();
}

for (const entry of ['client', 'client-module', 'redis', 'testing']) await import(`nestjs-mcp/${entry}`);

const program = require.resolve('nestjs-mcp/package.json').replace('package.json', 'dist/forwarder/main.js');
const { stdout } = await promisify(execFile)(process.execPath, [program, 'call', url, 'roll', 'count=4']);
assert.deepEqual(JSON.parse(stdout), { total: 4 });

const alone = await promisify(execFile)(process.execPath, [process.argv[2], 'doctor', url]);
assert.match(alone.stdout, /checks: 0 errors/);

// It throws, since there is no application.
assert.throws(
  () => describeServers({ get: () => [] }),
  ({ stack }) => /at describeServers \(.*nestjs-mcp\/dist\/[\w/.-]+\.js:\d+:\d+/.test(stack),
);

await app.close();
console.log(`Node ${process.version}, Nest ${readVersion('@nestjs/core')}: served, called, traced`);
