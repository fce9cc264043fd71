/** Prints how many files of `lib` one warm `tools/call` executes: `node executed-files.js <express, fastify or stdio> <stateless or session>`. */
import 'reflect-metadata';
import { copyFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { PassThrough } from 'node:stream';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';

const [adapter, wire] = process.argv.slice(2);
const SOURCES = new URL('../../lib/', import.meta.url);
const MODULES = new URL('../../.build/lib/', import.meta.url);
/** The compiler leaves it out. */
const COMMONJS = 'server/schema/packages-on-demand.cjs';
const WARM_UP = 20;
const PER_REQUEST = '2026-07-28';
const HANDSHAKE = '2025-11-25';

copyFileSync(new URL(COMMONJS, SOURCES), new URL(COMMONJS, MODULES));
const { McpModule, McpStdio, Tool } = await import(new URL('index.js', MODULES).href);

class Dice {
  roll({ count }) {
    return { total: count };
  }
}
const decorate = Tool({ description: 'Rolls dice', inputSchema: z.object({ count: z.int() }) });
decorate(Dice.prototype, 'roll', Object.getOwnPropertyDescriptor(Dice.prototype, 'roll'));
Injectable()(Dice);

class AppModule {}
Module({
  imports: [McpModule.forRoot({ serverInfo: { name: 'dice', version: '1.0.0' } })],
  providers: [Dice],
})(AppModule);

const print = process.stdout.write.bind(process.stdout);
const post = adapter === 'stdio' ? startStdio() : await startHttp();
const call = wire === 'session' ? await openSession() : callPerRequest;
for (let count = 0; count < WARM_UP; count += 1) await call();
print(`${(await countExecuted(call)).length}\n`);
process.exit();

async function createAdapter() {
  if (adapter !== 'fastify') return [];
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  return [new FastifyAdapter()];
}

/** Calls are counted from when the collection starts: what has run before it counts if it runs again. */
async function countExecuted(act) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url: file, functions }) => file.startsWith(MODULES.href) && functions.some(isExecuted))
    .map(({ url: file }) => file.slice(MODULES.href.length));
}

function isExecuted({ functionName, ranges }) {
  return functionName !== '' && ranges[0].count > 0;
}

function callPerRequest() {
  return post({
    headers: { 'mcp-protocol-version': PER_REQUEST, 'mcp-method': 'tools/call', 'mcp-name': 'roll' },
    method: 'tools/call',
    params: {
      name: 'roll',
      arguments: { count: 3 },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': PER_REQUEST,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
}

async function openSession() {
  const clientInfo = { name: 'figures', version: '1.0.0' };
  const params = { protocolVersion: HANDSHAKE, capabilities: {}, clientInfo };
  const response = await post({ method: 'initialize', params });
  const headers = {
    'mcp-session-id': response.headers.get('mcp-session-id'),
    'mcp-protocol-version': HANDSHAKE,
  };
  return () => post({ headers, method: 'tools/call', params: { name: 'roll', arguments: { count: 3 } } });
}

async function startHttp() {
  const app = await NestFactory.create(AppModule, ...(await createAdapter()), { logger: false });
  await app.listen(0, '127.0.0.1');
  const url = `${await app.getUrl()}/mcp`;
  return async ({ headers = {}, method, params }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const text = await response.text();
    if (!response.ok || text.includes('"error"')) throw new Error(`${response.status} ${text}`);
    return response;
  };
}

/** The process is its own client: it writes to the standard input, and reads what the server writes. */
function startStdio() {
  const input = new PassThrough();
  Object.defineProperty(process, 'stdin', { value: input });
  let receive;
  process.stdout.write = (line, _encoding, done) => {
    receive(String(line));
    done?.();
    return true;
  };
  void McpStdio.run(AppModule, { nest: { logger: false } });
  return async ({ method, params }) => {
    const received = new Promise((resolve) => {
      receive = resolve;
    });
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
    const line = await received;
    if (line.includes('"error"')) throw new Error(line);
    return { headers: new Headers() };
  };
}
