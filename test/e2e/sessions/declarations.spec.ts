import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule, McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/boot.js';
import { initialize, post } from '../../support/json-rpc.js';

describe.each(ADAPTERS)('what a client declares of itself on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;

  beforeAll(async () => {
    desk = await bootApp({
      adapter,
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
    });
    notifier = desk.app.get(McpNotifier);
  });

  afterAll(() => desk.close());

  const handshake = (capabilities: object, clientInfo: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'e2e', version: '1.0.0', ...clientInfo },
    },
  });

  it('may have icons and experiments of some size (SESS-02)', async () => {
    const experimental = { desk: { padding: 'x'.repeat(30_000) } };
    const { status } = await post(
      desk.url,
      handshake({ experimental }, { icons: [{ src: `data:image/png;base64,${'A'.repeat(30_000)}` }] }),
    );
    expect(status).toBe(200);
  });

  it.each([
    ['capabilities', handshake({ experimental: { desk: { padding: 'x'.repeat(70_000) } } })],
    ['clientInfo', handshake({}, { title: 'x'.repeat(70_000) })],
  ])('opens no session where its %s would fill the memory (HTTP-10)', async (_what, message) => {
    const before = notifier.sessions.length;
    const answer = await post(desk.url, message);
    expect(answer.json).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    expect(notifier.sessions).toHaveLength(before);
    expect((await (await initialize(desk.url)).request('ping')).result).toEqual({});
  });
});
