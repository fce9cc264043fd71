import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Prompt, Resource, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { ABLE, accept } from './conversation.js';

const NAME = {
  message: 'Name?',
  schema: { type: 'object', properties: { name: { type: 'string' } } },
} as const;

/** Handlers that do something before they ask, and one that asks nothing. */
@Injectable()
class DeskHandlers {
  runs = 0;

  @Tool({ description: 'Asks' })
  ask(_: object, context: McpContext): Promise<string> {
    return this.askName(context);
  }

  @Tool({ description: 'Asks nothing' })
  plain(): string {
    this.runs += 1;
    return 'done';
  }

  @Prompt()
  greet(_: object, context: McpContext): Promise<string> {
    return this.askName(context);
  }

  @Resource({ uri: 'desk://name' })
  read(_: object, context: McpContext): Promise<string> {
    return this.askName(context);
  }

  private async askName(context: McpContext): Promise<string> {
    this.runs += 1;
    return (await context.elicit(NAME)).action;
  }
}

const CALLS: readonly (readonly [string, JsonObject])[] = [
  ['tools/call', { name: 'ask' }],
  ['tools/call', { name: 'plain' }],
  ['prompts/get', { name: 'greet' }],
  ['resources/read', { uri: 'desk://name' }],
];

describe.each(ADAPTERS)('A "requestState" that is not ours, on %s', (adapter) => {
  let desk: RunningApp;
  let handlers: DeskHandlers;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskHandlers] });
    handlers = desk.app.get(DeskHandlers);
  });

  beforeEach(() => void (handlers.runs = 0));

  afterAll(() => desk.close());

  it.each(CALLS)('is refused by %s %j before its handler does anything (REV-02)', async (method, params) => {
    const client = perRequest(desk.url, { capabilities: ABLE });
    const round = { inputResponses: { 'question-1': accept({ name: 'Ada' }) } };
    for (const requestState of ['forged', 'Zm9yZ2Vk.c2lnbmF0dXJl', '', 7]) {
      const { error } = await client.request(method, { ...params, ...round, requestState });
      expect(error).toMatchObject({ code: -32602 });
    }
    expect(handlers.runs).toBe(0);
    expect((await client.request(method, params)).error).toBeUndefined();
    expect(handlers.runs).toBe(1);
  });
});
