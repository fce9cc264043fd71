import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, Tool } from 'nestjs-mcp';
import { HealthModule } from './health.module.js';

/** Stands for what handlers stand on, such as a database. */
@Injectable()
class Pool implements OnModuleDestroy {
  #isOpen = true;

  onModuleDestroy(): void {
    this.#isOpen = false;
  }

  async query(): Promise<string> {
    await delay(20);
    if (!this.#isOpen) throw new Error('The pool is closed');
    return 'a row';
  }
}

@Injectable()
class QueryTools {
  constructor(private readonly pool: Pool) {}

  @Tool({ description: 'Asks the database' })
  query(): Promise<string> {
    return this.pool.query();
  }
}

@Module({
  imports: [
    HealthModule,
    McpModule.forRoot({
      serverInfo: { name: 'draining', version: '1.0.0' },
      secret: process.env['SECRET'] ?? '',
      sessions: { recover: true },
      shutdown: { drainMs: Number(process.env['DRAIN_MS']) },
    }),
  ],
  providers: [Pool, QueryTools],
})
class DrainingModule {}

const app = await NestFactory.create(DrainingModule, { logger: false });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
console.log(`ready ${await app.getUrl()} `);
