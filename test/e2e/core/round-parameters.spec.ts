import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Complete, McpModule, Prompt, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

const ROUND = { requestState: 'not of this server', inputResponses: { name: { action: 'accept' } } };

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Says hello' })
  greet(): string {
    return 'hello';
  }

  @Prompt({ arguments: [{ name: 'tone' }] })
  letter({ tone }: { tone: string }): string {
    return tone;
  }

  @Complete({ prompt: 'letter', argument: 'tone' })
  complete(): string[] {
    return ['kind'];
  }
}

const UNASKING: [string, JsonObject][] = [
  ['tools/list', {}],
  ['prompts/list', {}],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'letter' }, argument: { name: 'tone', value: '' } },
  ],
];

describe.each(ADAPTERS)('the parameters of a round, on %s', (adapter) => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await bootApp({
      adapter,
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
      providers: [DeskHandlers],
    });
  });

  afterAll(() => app.close());

  it.each<[string, JsonObject]>([['server/discover', {}], ...UNASKING])(
    'mean nothing to %s, which never asks (REV-02)',
    async (method, params) => {
      const { result } = await perRequest(app.url).request(method, { ...params, ...ROUND });
      expect(result).toMatchObject({ resultType: 'complete' });
    },
  );

  it.each(UNASKING)('mean nothing to %s in a session (REV-02)', async (method, params) => {
    const session = await initialize(app.url);
    const plain = await session.request(method, params);
    const { result } = await session.request(method, { ...params, ...ROUND });
    expect(result).toEqual(plain.result);
  });

  it('mean nothing to the handshake (REV-02)', async () => {
    const clientInfo = { name: 'e2e', version: '1.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo, ...ROUND };
    const { text } = await post(app.url, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(JSON.parse(text)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('are refused by a call, where the state is not of this server (REV-02)', async () => {
    const { error } = await perRequest(app.url).request('tools/call', { name: 'greet', ...ROUND });
    expect(error).toMatchObject({ code: -32602 });
  });
});
