import { describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { config, firstValueFrom, timer } from 'rxjs';
import { buildClockWorker } from '../../support/applications/clock-worker.js';
import '../../support/mcp-matchers.js';

describe('An application context without HTTP', () => {
  it('starts with the module, answers a client of its own process and closes (MOD-01) (KIT-01)', async () => {
    const faults: unknown[] = [];
    config.onUnhandledError = (fault) => faults.push(fault);
    const app = await NestFactory.createApplicationContext(buildClockWorker(), {
      logger: false,
      abortOnError: false,
    });
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
