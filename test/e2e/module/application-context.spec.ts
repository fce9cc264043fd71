import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, Tool } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { config, firstValueFrom, timer } from 'rxjs';
import '../../support/mcp-matchers.js';

@Injectable()
class ClockTools {
  @Tool({ description: 'Tells the time' })
  tellTime(): string {
    return '12:00';
  }
}

class WorkerModule {}

describe('An application context without HTTP', () => {
  it('starts with the module, answers a client of its own process and closes (MOD-01) (KIT-01)', async () => {
    const faults: unknown[] = [];
    config.onUnhandledError = (fault) => faults.push(fault);
    const root = {
      module: WorkerModule,
      imports: [McpModule.forRoot({ serverInfo: { name: 'worker', version: '1.0.0' } })],
      providers: [ClockTools],
    };
    const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    // rxjs reports what nobody handled on a timer of its own.
    await firstValueFrom(timer(0));
    config.onUnhandledError = null;

    expect(faults).toEqual([]);
    const client = await McpTestingModule.createClient(app);
    expect(await client.callTool({ name: 'tellTime' })).toHaveText('12:00');
    await client.close();
    await app.close();
  });
});
