import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { McpHealthIndicator, McpModule, Tool } from 'nestjs-mcp';

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

@Controller()
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly mcp: McpHealthIndicator,
  ) {}

  @Get('ready')
  @HealthCheck()
  ready() {
    return this.health.check([() => this.mcp.readiness('mcp')]);
  }
}

@Module({
  imports: [
    TerminusModule.forRoot({ logger: false }),
    McpModule.forRoot({
      serverInfo: { name: 'draining', version: '1.0.0' },
      secret: process.env['SECRET'] ?? '',
      sessions: { adopt: true },
      shutdown: { drainMs: Number(process.env['DRAIN_MS']) },
    }),
  ],
  controllers: [HealthController],
  providers: [Pool, QueryTools],
})
class DrainingModule {}

const app = await NestFactory.create(DrainingModule, { logger: false });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
console.log(`ready ${await app.getUrl()} `);
