/**
 * One of several processes that run tasks, over HTTP or stdio. It prints its URL, and what its handlers do. From the
 * environment: `REDIS_URL` by which it is one server with others, and `DIRECTORY` where tasks are kept, in memory without either; `QUEUE=file` a queue that outlives it;
 * `CONCURRENCY`, `HOLDER_TIMEOUT_MS`, `CLOSE_TIMEOUT_MS`, `TTL_MS`, `PORT`, `TRANSPORT=stdio`.
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { McpModule, McpStdio, Tool, type McpContext } from 'nestjs-mcp';
import { redisCluster } from 'nestjs-mcp/redis';
import { z } from 'zod';
import { FileTaskQueue } from '../support/programs/file-task-queue.js';
import { FileTaskStore } from '../support/programs/file-task-store.js';

const {
  REDIS_URL,
  DIRECTORY,
  QUEUE,
  CONCURRENCY = '32',
  HOLDER_TIMEOUT_MS = '30000',
  CLOSE_TIMEOUT_MS,
  TTL_MS,
  PORT,
  TRANSPORT,
} = process.env;
const isHttp = TRANSPORT !== 'stdio';
const print = (text: string): boolean => (isHttp ? process.stdout : process.stderr).write(`${text}\n`);
const Named = z.object({ name: z.string(), ms: z.number().default(0) });
const Word = z.object({ word: z.string() });

@Injectable()
class TaskTools {
  #running = 0;
  #peak = 0;
  #done = 0;

  @Tool({ inputSchema: Named, task: 'optional', pollIntervalMs: 20 })
  async work({ name, ms }: z.infer<typeof Named>, context: McpContext): Promise<string> {
    print(`begun ${name}`);
    this.#running += 1;
    this.#peak = Math.max(this.#peak, this.#running);
    context.signal.addEventListener('abort', () => print(`aborted ${name}: ${context.signal.reason}`));
    context.progress(1, 2);
    try {
      await delay(ms, undefined, { signal: context.signal });
      this.#done += 1;
      return `${name} is done by ${process.pid}`;
    } finally {
      this.#running -= 1;
    }
  }

  @Tool({ task: 'optional', pollIntervalMs: 20 })
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ key: 'word', message: 'Which word?', schema: Word });
    return answer.action === 'accept' ? `${answer.content.word} by ${process.pid}` : answer.action;
  }

  /** Bytes that are in use after a full collection, how many tasks ran at once at most, and how many ended by themselves. */
  @Tool()
  figures(): string {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return JSON.stringify({ heapBytes: heapUsed + external, peak: this.#peak, done: this.#done });
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'task-server', version: '1.0.0' },
      secret: 'a secret for a program that tests start',
      ...(REDIS_URL !== undefined && { cluster: redisCluster({ client: new Redis(REDIS_URL) }) }),
      tasks: {
        concurrency: Math.max(1, Number(CONCURRENCY)),
        workerTimeoutMs: Number(HOLDER_TIMEOUT_MS),
        ...(CLOSE_TIMEOUT_MS !== undefined && { closeTimeoutMs: Number(CLOSE_TIMEOUT_MS) }),
        ...(TTL_MS !== undefined && { ttlMs: Number(TTL_MS) }),
        ...(DIRECTORY !== undefined && { store: new FileTaskStore(DIRECTORY) }),
        ...(DIRECTORY !== undefined &&
          QUEUE === 'file' && { queue: new FileTaskQueue(join(DIRECTORY, 'queue'), Number(CONCURRENCY)) }),
      },
    }),
  ],
  providers: [TaskTools],
})
class TaskModule {}

if (isHttp) {
  const app = await NestFactory.create(TaskModule, { logger: false, forceCloseConnections: true });
  app.enableShutdownHooks();
  await app.listen(Number(PORT ?? 0), '127.0.0.1');
  print(`ready ${await app.getUrl()}/mcp`);
} else {
  await McpStdio.run(TaskModule);
}
