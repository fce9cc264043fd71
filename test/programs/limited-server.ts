/**
 * A server that limits its callers, ada and bob, whose tokens are `token-of-ada-0123456789` and `token-of-bob-0123456789`, and strangers, who may
 * call too. It prints its URL. From the environment: `LIMIT`, how many calls of `limited` each may make in `WINDOW_MS`, or a minute; `REDIS_URL`, where
 * counts are kept for all processes that have the same, and `MCP_SECRET` for those that are one server; `AUDIT`, the mode in which it prints
 * its audit, an event a line, and `AUDIT_TIMEOUT_MS` for which a request waits for that, or half a second; `STALLED`, how many events it may be busy with, of which those of strangers are never kept; `PORT`, `ADAPTER`.
 */
import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Throttle, ThrottlerModule } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import {
  Concurrency,
  McpAudit,
  McpModule,
  Public,
  Tool,
  type AuditEvent,
  type AuditOptions,
  type McpOptions,
} from 'nestjs-mcp';
import { redisCluster } from 'nestjs-mcp/redis';

const {
  LIMIT = '10',
  WINDOW_MS = '60000',
  REDIS_URL,
  MCP_SECRET = '',
  PORT = '0',
  ADAPTER,
  AUDIT,
  AUDIT_TIMEOUT_MS = '500',
  STALLED,
} = process.env;
const MINUTE_MS = 60_000;

let running = 0;
let most = 0;

@Injectable()
@Public()
class LimitedTools {
  @Tool()
  @Throttle({ default: { limit: Number(LIMIT), ttl: Number(WINDOW_MS) } })
  limited() {
    return `limited by ${process.pid}`;
  }

  @Tool()
  greet() {
    return 'hello';
  }

  /** Works for a while, two at once; each caller has one turn. */
  @Tool()
  @Concurrency({ maxPerCaller: 1, max: 2, queue: { length: 50, timeoutMs: 20_000 } })
  async dear() {
    running += 1;
    most = Math.max(most, running);
    await delay(5);
    running -= 1;
    return 'dear';
  }

  /** Tells how many calls of the dear tool ran at once. */
  @Tool()
  most() {
    return String(most);
  }
}

@Injectable()
class PrintedAudit implements OnModuleInit {
  constructor(private readonly audit: McpAudit) {}

  onModuleInit() {
    if (AUDIT !== undefined) this.audit.writeTo((event) => this.keep(event));
  }

  private async keep(event: AuditEvent) {
    if (STALLED !== undefined && event.caller.subject === undefined) await new Promise(() => {});
    console.log(`audit ${JSON.stringify(event)}`);
  }
}

function createAudit(): { audit?: AuditOptions } {
  if (AUDIT === undefined) return {};
  const mode = AUDIT === 'required' ? 'required' : 'optional';
  return {
    audit: {
      mode,
      timeoutMs: Number(AUDIT_TIMEOUT_MS),
      ...(STALLED !== undefined && { maxPending: Number(STALLED) }),
    },
  };
}

function createStorage() {
  return REDIS_URL === undefined ? {} : { storage: new ThrottlerStorageRedisService(new Redis(REDIS_URL)) };
}

function createCluster(): Partial<McpOptions> {
  if (REDIS_URL === undefined) return {};
  const cluster = redisCluster({
    client: new Redis(REDIS_URL),
    prefix: 'limited',
    startTimeoutMs: MINUTE_MS / 2,
  });
  return { secret: MCP_SECRET, cluster };
}

@Module({
  imports: [
    ThrottlerModule.forRoot({ throttlers: [{ ttl: MINUTE_MS, limit: 1_000_000 }], ...createStorage() }),
    McpModule.forRoot({
      serverInfo: { name: 'limited', version: '1.0.0' },
      auth: {
        bearer: ['ada', 'bob'].map((subject) => ({ token: `token-of-${subject}-0123456789`, subject })),
      },
      ...createCluster(),
      ...createAudit(),
    }),
  ],
  providers: [LimitedTools, PrintedAudit],
})
class LimitedServerModule {}

const adapter = ADAPTER === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(LimitedServerModule, adapter, {
  logger: ['error', 'warn'],
  forceCloseConnections: true,
});
await app.listen(Number(PORT), '127.0.0.1');
console.log(`ready ${await app.getUrl()}/mcp`);
