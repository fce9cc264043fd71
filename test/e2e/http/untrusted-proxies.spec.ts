import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpModule, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

@Injectable()
class GreetTool {
  @Tool()
  greet(): string {
    return 'hello';
  }
}

describe.each(ADAPTERS)('Handshakes that a proxy passes on, on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function shakeHands(trustProxy: boolean): Promise<readonly string[]> {
    const log = new RecordedLog();
    desk = await bootApp({
      adapter,
      trustProxy,
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
      providers: [GreetTool],
      nest: { logger: log },
    });
    await initialize(desk.url);
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    for (let count = 0; count < 3; count += 1) await initialize(desk.url, { headers });
    return log.text.split('\n').filter((line) => line.includes('A proxy forwards requests'));
  }

  it('are warned of once, with what to set, where nobody trusts the proxy (FAIR-03)', async () => {
    const lines = await shakeHands(false);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"trust proxy" on Express, or "trustProxy" on Fastify');
  });

  it('are nothing to say where the proxy is trusted (FAIR-03)', async () => {
    expect(await shakeHands(true)).toEqual([]);
  });
});
