/** A server that asks itself for one call, by `node:http` alone, and prints what Node had to load for that. */
import 'reflect-metadata';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, Tool } from 'nestjs-mcp';

@Injectable()
class LeanTools {
  @Tool()
  greet(): object {
    return { greeting: 'hello' };
  }
}

@Module({
  imports: [McpModule.forRoot({ serverInfo: { name: 'lean', version: '1.0.0' } })],
  providers: [LeanTools],
})
class LeanModule {}

const app = await NestFactory.create(LeanModule, { logger: ['error', 'warn'] });
await app.listen(0, '127.0.0.1');
const answer = await call(`${await app.getUrl()}/mcp`);
const loaded = (process as unknown as { moduleLoadList: string[] }).moduleLoadList;
const isFetchLoaded = loaded.some((name) => name.includes('undici/undici'));
process.stdout.write(`${JSON.stringify({ answer, isFetchLoaded })}\n`);
await app.close();

async function call(url: string): Promise<string> {
  const version = '2026-07-28';
  const asked = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': version,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'greet',
    },
  });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'greet', arguments: {}, _meta: meta };
  asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  return new Promise((resolve, reject) => {
    asked.on('response', (response) => resolve(text(response)));
    asked.on('error', reject);
  });
}
