/** The server under load: everything that a server can serve, protected, with short time-outs. It ends when its application does. */
import { countIntervals } from './intervals.js';
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { McpNotifier } from 'nestjs-mcp';
import type { Remains, SoakSettings, Usage } from '../server-process.js';
import { buildSoakModule } from './soak.module.js';

/** Longer than connections of the load are kept, so that the server closes none under a request. */
const KEEP_ALIVE_MS = 120_000;

const settings = JSON.parse(process.argv[2] ?? '{}') as SoakSettings;
process.on('message', (question) => void (question === 'close' ? close() : readUsage()));
process.once('disconnect', () => {
  if (!isClosed) process.exit(1);
});
let isClosed = false;
// Node opens its standard streams when they are first looked at.
void [process.stdout, process.stderr];
const before = process.getActiveResourcesInfo();
const app = await NestFactory.create(buildSoakModule(settings), { logger: false, abortOnError: false });
await app.listen(0, '127.0.0.1');
const server = app.getHttpServer() as Server;
server.keepAliveTimeout = KEEP_ALIVE_MS;
process.send?.({ port: (server.address() as AddressInfo).port });

async function readUsage(): Promise<void> {
  await collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const usage: Usage = {
    heapBytes: heapUsed + external,
    rssBytes: rss,
    cpuMs: (user + system) / 1000,
    sessions: app.get(McpNotifier).sessions.length,
  };
  process.send?.(usage);
}

async function collect(): Promise<void> {
  globalThis.gc?.();
  await turn();
  globalThis.gc?.();
}

async function close(): Promise<void> {
  const begun = performance.now();
  await app.close();
  const closeMs = performance.now() - begun;
  isClosed = true;
  // Handles are gone a turn after they were closed.
  await turn();
  await turn();
  const remains: Remains = { resources: findRemaining(), intervals: countIntervals(), closeMs };
  process.send?.(remains, () => process.disconnect());
}

/** What there was before the application began is not its own. */
function findRemaining(): string[] {
  const foreign = [...before];
  return process.getActiveResourcesInfo().filter((resource) => {
    const index = foreign.indexOf(resource);
    if (index >= 0) foreign.splice(index, 1);
    return index < 0 && resource !== 'Immediate';
  });
}
