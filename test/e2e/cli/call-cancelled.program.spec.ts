import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FixtureEndpoint, type Incoming } from '../../support/fixture-endpoint.js';
import { CommandLine } from '../../support/programs/command-line.js';
import { until } from '../../support/until.js';

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'desk', version: '1.0.0' },
};
const TOOL = { name: 'wait', inputSchema: { type: 'object' } };

/** Serves a tool that gives no result. */
function takeOver({ rpc, message }: Incoming, response: ServerResponse): boolean {
  if (rpc === 'server/discover') response.writeHead(404).end();
  else if (rpc === 'tools/list') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: { tools: [TOOL] } }));
  } else return rpc === 'tools/call';
  return true;
}

describe('A call of "nestjs-mcp-cli call" to a server without sessions', () => {
  let endpoint: FixtureEndpoint;

  beforeEach(async () => {
    endpoint = await FixtureEndpoint.start({ sessionId: null, handshake: HANDSHAKE, takeOver });
  });

  afterEach(() => endpoint.stop());

  const wasSent = (rpc: string) => endpoint.requests.some((request) => request.rpc === rpc);

  it('is cancelled by Ctrl-C (CLI-20)', async () => {
    const line = new CommandLine(['call', endpoint.url, 'wait']);
    await until(() => wasSent('tools/call'), 'the call', 20_000);
    line.interrupt();
    expect((await line.ends()).code).toBe(null);
    expect(wasSent('notifications/cancelled')).toBe(true);
  });

  it('is cancelled where it takes too long (CLI-20)', async () => {
    const line = new CommandLine(['call', endpoint.url, 'wait', '--timeout', '4000']);
    expect(await line.ends()).toMatchObject({ code: 4, stderr: expect.stringContaining('--timeout') });
    expect(wasSent('notifications/cancelled')).toBe(true);
  });
});
