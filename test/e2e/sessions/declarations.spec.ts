import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, post } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

describe.each(ADAPTERS)('what a client declares of itself on %s', (adapter) => {
  const log = new RecordedLog();
  let desk: RunningApp;
  let notifier: McpNotifier;

  beforeAll(async () => {
    desk = await bootServer({ adapter, nest: { logger: log } });
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

  it.each(['capabilities', 'clientInfo'])(
    'opens no session where its %s are nested without end, and logs nothing (CORE-01) (SAFE-01)',
    async (member) => {
      const before = notifier.sessions.length;
      log.clear();
      const nested = `${'{"a":'.repeat(100_000)}{}${'}'.repeat(100_000)}`;
      const written = JSON.stringify(handshake({})).replace(
        `"${member}":{`,
        `"${member}":{"nested":${nested},`,
      );
      const answer = await sendHttp(desk.url, {
        body: written.replace(',}', '}'),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      });
      expect([answer.status, answer.json]).toMatchObject([400, { error: { code: -32600 } }]);
      expect(notifier.sessions).toHaveLength(before);
      expect(log.lines).toEqual([]);
    },
  );
});
