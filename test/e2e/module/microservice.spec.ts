import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Transport, type MicroserviceOptions } from '@nestjs/microservices';
import { McpModule, Tool } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import '../../support/mcp-matchers.js';

@Injectable()
class ClockTools {
  @Tool({ description: 'Tells the time' })
  tellTime(): string {
    return '12:00';
  }
}

class WorkerModule {}

const root = {
  module: WorkerModule,
  imports: [McpModule.forRoot({ serverInfo: { name: 'worker', version: '1.0.0' } })],
  providers: [ClockTools],
};

describe('A microservice', () => {
  // Nest calls the hooks of a microservice twice if the application itself calls "init()".
  it('starts once with the module, however often its hooks are called (MOD-01)', async () => {
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(root, {
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
