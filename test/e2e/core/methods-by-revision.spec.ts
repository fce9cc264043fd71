import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Complete, Prompt, Resource, ResourceTemplate, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import {
  HANDSHAKE_VERSIONS,
  initialize,
  perRequest,
  type SessionClient,
} from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { assertMessage } from '../../support/schema-check.js';

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Greets' })
  greet(): string {
    return 'hello';
  }

  @Resource({ uri: 'desk://rules', description: 'The rules' })
  rules(): string {
    return 'be kind';
  }

  @ResourceTemplate({ uriTemplate: 'desk://tickets/{id}', description: 'A ticket' })
  ticket({ id }: { id: string }): string {
    return `ticket ${id}`;
  }

  @Prompt({ description: 'Asks for a summary', arguments: [{ name: 'tone' }] })
  summary(): string {
    return 'Summarise it';
  }

  @Complete({ prompt: 'summary', argument: 'tone' })
  tones(): string[] {
    return ['calm', 'brisk'];
  }
}

const PARAMS: Readonly<Record<string, JsonObject>> = {
  'tools/call': { name: 'greet' },
  'resources/read': { uri: 'desk://rules' },
  'resources/subscribe': { uri: 'desk://rules' },
  'resources/unsubscribe': { uri: 'desk://rules' },
  'prompts/get': { name: 'summary' },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'summary' },
    argument: { name: 'tone', value: 'c' },
  },
  'logging/setLevel': { level: 'error' },
  'subscriptions/listen': { notifications: {} },
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } },
};

const IN_ALL = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
];
const IN_SESSIONS = ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];
const IN_NONE = [
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
  'notifications/initialized',
  'Tools/List',
  'tools',
  '__proto__',
  'constructor',
  'toString',
];

describe.each(ADAPTERS)('the methods of each revision on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskHandlers] });
  });

  afterAll(() => desk.close());

  describe.each(HANDSHAKE_VERSIONS)('%s', (version) => {
    let session: SessionClient;

    beforeAll(async () => {
      session = await initialize(desk.url, { version });
    });

    it.each([...IN_ALL, ...IN_SESSIONS])('has %s as it publishes it (CORE-03)', async (method) => {
      const answer = await session.request(method, PARAMS[method]);
      expect([answer.status, answer.error]).toEqual([200, undefined]);
      assertMessage(answer.response!, { version, method });
    });

    it('answers initialize as it publishes it (CORE-03)', () => {
      const { response } = session.handshake;
      expect(session.version).toBe(version);
      assertMessage(response!, { version, method: 'initialize' });
    });

    it.each(['server/discover', 'subscriptions/listen', ...IN_NONE])(
      'has no %s and says so with 200 (CORE-03)',
      async (method) => {
        const answer = await session.request(method, PARAMS[method]);
        expect([answer.status, answer.error?.code]).toEqual([200, -32601]);
      },
    );
  });

  describe('2026-07-28', () => {
    const version = '2026-07-28';

    it.each(['server/discover', ...IN_ALL])('has %s as it publishes it (CORE-03)', async (method) => {
      const answer = await perRequest(desk.url).request(method, PARAMS[method]);
      expect([answer.status, answer.error]).toEqual([200, undefined]);
      assertMessage(answer.response!, { version, method });
    });

    it('has subscriptions/listen (CORE-03)', async () => {
      const stream = await perRequest(desk.url).listen({ toolsListChanged: true });
      for (const message of stream.messages) assertMessage(message, { version });
      expect(stream.messages).toHaveLength(1);
      await stream.close();
    });

    it.each(['initialize', ...IN_SESSIONS, ...IN_NONE])(
      'has no %s and says so with 404 (CORE-03)',
      async (method) => {
        const answer = await perRequest(desk.url).request(method, PARAMS[method]);
        expect([answer.status, answer.error?.code]).toEqual([404, -32601]);
      },
    );
  });
});
