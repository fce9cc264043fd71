import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpExtensions, Tool, type InputRequiredResult } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { textOf } from '../input-requests/conversation.js';

const QUESTION = { method: 'elicitation/create', params: { message: 'Which number?' } } as const;

@Injectable()
class Excuses implements OnModuleInit {
  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    this.extensions.register({
      id: 'com.example/excuses',
      specVersion: '2026-07-28',
      stability: 'experimental',
      interceptToolCall: async (_, next) =>
        next().catch(({ message }: Error) => ({ content: [{ type: 'text', text: `Sorry: ${message}` }] })),
    });
  }

  @Tool({ description: 'Asks' })
  ask(): InputRequiredResult {
    return { resultType: 'input_required', inputRequests: { number: QUESTION } };
  }
}

describe.each(ADAPTERS)('An extension around a call whose input request fails, on %s', (adapter) => {
  let server: RunningApp;

  beforeAll(async () => void (server = await bootServer({ adapter, providers: [Excuses] })));
  afterAll(() => server.close());

  it('changes the result in a session (EXT-03)', async () => {
    const session = await initialize(server.url);
    expect(textOf(await session.request('tools/call', { name: 'ask' }))).toMatch(/^Sorry: /);
  });

  it('changes the result on the stateless wire (EXT-03)', async () => {
    expect(textOf(await perRequest(server.url).request('tools/call', { name: 'ask' }))).toMatch(/^Sorry: /);
  });
});
