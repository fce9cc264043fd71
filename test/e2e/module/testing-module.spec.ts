import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpModule, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootTestingApp } from '../../support/applications/boot.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

@Injectable()
class Clock {
  now(): string {
    return new Date().toISOString();
  }
}

@Injectable()
class ClockTools {
  constructor(private readonly clock: Clock) {}

  @Tool({ description: 'Tells the time' })
  tellTime(): string {
    return this.clock.now();
  }
}

describe.each(ADAPTERS)('An application of a testing module, on %s', (adapter) => {
  it('serves handlers whose dependencies the test replaced (MOD-01) (MOD-10)', async () => {
    const noon = { now: () => '12:00' };
    const running = await bootTestingApp({
      adapter,
      imports: [McpModule.forRoot({ serverInfo: { name: 'clock', version: '1.0.0' } })],
      providers: [Clock, ClockTools],
      override: (builder) => builder.overrideProvider(Clock).useValue(noon),
    });
    const session = await initialize(running.url);
    const call = { name: 'tellTime' };
    const results = await Promise.all([
      session.start('tools/call', call).result(),
      perRequest(running.url).start('tools/call', call).result(),
    ]);
    for (const { content } of results) expect(content).toEqual([{ type: 'text', text: '12:00' }]);
    await running.close();
  });
});
