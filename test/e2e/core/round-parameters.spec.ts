import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Complete, Prompt, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { buildInitialize, initialize, perRequest, post } from '../../support/clients/json-rpc.js';
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
    app = await bootServer({ adapter, providers: [DeskHandlers] });
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
    const message = buildInitialize();
    const params = { ...message.params, ...ROUND };
    const { text } = await post(app.url, { ...message, params });
    expect(JSON.parse(text)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('are refused by a call, where the state is not of this server (REV-02)', async () => {
    const { error } = await perRequest(app.url).request('tools/call', { name: 'greet', ...ROUND });
    expect(error).toMatchObject({ code: -32602 });
  });
});
