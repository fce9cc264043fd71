import { describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { Transport, type MicroserviceOptions } from '@nestjs/microservices';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { buildClockWorker } from '../../support/applications/clock-worker.js';
import '../../support/mcp-matchers.js';

describe('A microservice', () => {
  // Nest calls the hooks of a microservice twice if the application itself calls "init()".
  it('starts once with the module, however often its hooks are called (MOD-01)', async () => {
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(buildClockWorker(), {
      transport: Transport.TCP,
      options: { host: '127.0.0.1', port: 0 },
      logger: false,
      abortOnError: false,
    });
    await app.init();
    const client = await McpTestingModule.createClient(app);
    expect(await client.callTool({ name: 'tellTime' })).toHaveText('12:00');
    await client.close();
    await app.close();
  });
});
