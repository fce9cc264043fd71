/**
 * One of several processes that are one server. It prints its URL, and what its handlers do. From the environment: `REDIS_URL` and
 * `MCP_SECRET`, which the others have too; `REDIS_CLIENT`, the package of the client; `PREFIX`; `RETENTION`, how many entries the log
 * keeps; `AUTH=1`, so that callers need the token of ada or bob, or `ISSUER`, whose tokens, bound to keys, they need for `RESOURCE`; `ADAPTER`, `PORT`, `SESSIONS`, `IDLE_MS`, `LIFETIME_MS`, `DRAIN_MS`, `QUEUED_BYTES`,
 * `DEAD_AFTER_MS`, `COMMAND_TIMEOUT_MS`.
 */
import 'reflect-metadata';
import type { Server } from 'node:http';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule } from 'nestjs-mcp';
import { redisCluster } from 'nestjs-mcp/redis';
import { AnnouncingTools } from './cluster/announcing.tools.js';
import { AskingTools } from './cluster/asking.tools.js';
import { CallingTools, print } from './cluster/calling.tools.js';
import { ChangingTools } from './cluster/changing.tools.js';
import { openClient } from './cluster/open-client.js';
import { ReportsExtension } from './cluster/reports.extension.js';
import { SessionTools } from './cluster/session.tools.js';
import { StateTools } from './cluster/state.tools.js';
import { WorkingTools } from './cluster/working.tools.js';
import { HealthModule } from './health.module.js';

const { REDIS_URL = '', REDIS_CLIENT, MCP_SECRET = '', PREFIX = 'cluster', RETENTION } = process.env;
const { ISSUER, RESOURCE = '', COMMAND_TIMEOUT_MS } = process.env;
const { ADAPTER, AUTH, PORT, SESSIONS, IDLE_MS, LIFETIME_MS, DRAIN_MS, QUEUED_BYTES, DEAD_AFTER_MS } =
  process.env;
const redis = await openClient(REDIS_URL, REDIS_CLIENT);

@Module({
  imports: [
    HealthModule,
    McpModule.forRoot({
      serverInfo: { name: 'one-of-many', version: '1.0.0' },
      secret: MCP_SECRET,
      cluster: redisCluster({
        client: redis.client,
        prefix: PREFIX,
        // What is ready has joined, however busy the machine is.
        startTimeoutMs: 30_000,
        ...(RETENTION !== undefined && { maxEntries: Number(RETENTION) }),
        ...(DEAD_AFTER_MS !== undefined && { deadAfterMs: Number(DEAD_AFTER_MS) }),
        ...(COMMAND_TIMEOUT_MS !== undefined && { commandTimeoutMs: Number(COMMAND_TIMEOUT_MS) }),
      }),
      sse: true,
      tasks: true,
      events: { webhooks: { allowHttp: true, allowPrivateAddresses: true, isTrusted: () => true } },
      sessions: {
        ...(SESSIONS !== undefined && { maxSessions: Number(SESSIONS) }),
        ...(IDLE_MS !== undefined && { idleTimeoutMs: Number(IDLE_MS) }),
        ...(LIFETIME_MS !== undefined && { lifetimeMs: Number(LIFETIME_MS) }),
      },
      streams: {
        retryMs: 50,
        beginAfterMs: 20,
        ...(QUEUED_BYTES !== undefined && { maxQueuedBytes: Number(QUEUED_BYTES) }),
      },
      ...(DRAIN_MS !== undefined && { shutdown: { drainMs: Number(DRAIN_MS) } }),
      ...(ISSUER !== undefined && {
        auth: { resourceUri: RESOURCE, authorizationServers: [ISSUER], jwt: {}, dpop: 'required' as const },
      }),
      ...(AUTH === '1' && {
        auth: {
          bearer: ['ada', 'bob'].map((subject) => ({ token: `token-of-${subject}-0123456789`, subject })),
        },
      }),
    }),
  ],
  providers: [
    AnnouncingTools,
    AskingTools,
    CallingTools,
    ChangingTools,
    ReportsExtension,
    SessionTools,
    StateTools,
    WorkingTools,
  ],
})
class ClusterServerModule {}

const adapter = ADAPTER === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(ClusterServerModule, adapter, {
  logger: ['error', 'warn'],
  forceCloseConnections: true,
});
// Longer than a balancer keeps a connection for later: it is the one to let go of it.
(app.getHttpServer() as Server).keepAliveTimeout = 75_000;
const end = () => void app.close().then(() => redis.close());
// By the second pm2 ends a process, and a terminal a whole group of them.
process.once('SIGTERM', end).once('SIGINT', end);
await app.listen(Number(PORT ?? 0), '127.0.0.1');
print(`ready ${await app.getUrl()}/mcp`);
