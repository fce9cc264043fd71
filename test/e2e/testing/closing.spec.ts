import { Injectable } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpModule, McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import '../../support/mcp-matchers.js';
import { REVISIONS, startTestingModule } from '../../support/applications/testing-desk.js';
import { until } from '../../support/until.js';

@Injectable()
class Tools {
  readonly calls: AbortSignal[] = [];

  @Tool()
  wait(_: object, { signal }: McpContext): Promise<string> {
    this.calls.push(signal);
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve('over')));
  }

  @Tool()
  ping() {
    return 'pong';
  }
}

describe.each(REVISIONS)('The end of a connection of the test kit in %s', (revision) => {
  let moduleRef: TestingModule;

  beforeEach(async () => {
    moduleRef = await startTestingModule({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
      providers: [Tools],
    });
  });

  afterEach(() => moduleRef.close());

  const startCall = async () => {
    const client = await McpTestingModule.createClient(moduleRef, { revision });
    const { calls } = moduleRef.get(Tools);
    const known = calls.length;
    const call = client.callTool({ name: 'wait' }).then(
      () => 'answered',
      () => 'failed',
    );
    const signal = await until(() => calls[known], 'a call');
    return { client, call, signal };
  };

  it('cancels the calls of a client that is closed, and of no other (KIT-01)', async () => {
    const staying = await startCall();
    const leaving = await startCall();
    expect(leaving.signal).not.toBe(staying.signal);
    await leaving.client.close();
    expect(leaving.signal.aborted).toBe(true);
    expect(await leaving.call).toBe('failed');
    expect(staying.signal.aborted).toBe(false);
    expect(await staying.client.callTool({ name: 'ping' })).toHaveText('pong');
    await staying.client.close();
  });

  it('is told to clients whose application is closed (KIT-01)', async () => {
    const { client, call, signal } = await startCall();
    let isClosed = false;
    client.onclose = () => void (isClosed = true);
    await moduleRef.close();
    expect(await call).toBe('failed');
    expect(signal.aborted).toBe(true);
    expect(isClosed).toBe(true);
    expect(moduleRef.get(McpNotifier).sessions).toEqual([]);
    await expect(client.callTool({ name: 'ping' })).rejects.toThrow(/closed|connect/i);
  });
});
