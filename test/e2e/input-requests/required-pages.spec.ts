import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Prompt, Resource, Tool, UrlElicitationRequiredError, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { ABLE, SESSION, STATELESS, textOf } from './conversation.js';

const URL_OF_PAGE = 'https://desk.example.com/connect?user=ada';
const MESSAGE = 'Connect your calendar';
const PAGE = { url: URL_OF_PAGE, message: MESSAGE } as const;

const REQUESTS: readonly (readonly [method: string, params: JsonObject])[] = [
  ['tools/call', { name: 'plan' }],
  ['prompts/get', { name: 'agenda' }],
  ['resources/read', { uri: 'desk://calendar' }],
];

/** Needs an account of the user before anything else. */
@Injectable()
class Calendar {
  isConnected = false;
  /** How often it was called. */
  calls = 0;

  #open(): string {
    this.calls += 1;
    if (this.isConnected) return 'connected';
    throw new UrlElicitationRequiredError(PAGE, 'Your calendar is not connected');
  }

  @Tool()
  plan(): string {
    return this.#open();
  }

  @Tool()
  async planNamed(_: object, context: McpContext): Promise<string> {
    if (this.isConnected) return 'connected';
    context.progress(1);
    throw new UrlElicitationRequiredError([
      { ...PAGE, elicitationId: 'calendar-7' },
      { ...PAGE, elicitationId: 'mail-7' },
    ]);
  }

  @Prompt()
  agenda(): string {
    return this.#open();
  }

  @Resource({ uri: 'desk://calendar' })
  calendar(): string {
    return this.#open();
  }
}

describe.each(ADAPTERS)('A page that the user has to open first, on %s', (adapter) => {
  let desk: RunningApp;
  let calendar: Calendar;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [Calendar] });
    calendar = desk.app.get(Calendar);
  });

  beforeEach(() => void Object.assign(calendar, { isConnected: false, calls: 0 }));

  afterAll(() => desk.close());

  it.each(REQUESTS)('is the error -32042 of 2025-11-25: %s (XTN-04)', async (method, params) => {
    const session = await initialize(desk.url, { capabilities: ABLE });
    const { status, error } = await session.request(method, params);
    expect([status, error]).toEqual([
      200,
      {
        code: -32042,
        message: 'Your calendar is not connected',
        data: { elicitations: [{ mode: 'url', elicitationId: expect.any(String), ...PAGE }] },
      },
    ]);
    calendar.isConnected = true;
    expect(await session.request(method, params)).toMatchObject({ status: 200, result: expect.anything() });
  });

  it('may be several, each by its own name (XTN-04)', async () => {
    const session = await initialize(desk.url, { capabilities: ABLE });
    const { error } = await session.request('tools/call', { name: 'planNamed' });
    expect(error).toMatchObject({
      code: -32042,
      message: 'The user must open a page first',
      data: { elicitations: [{ elicitationId: 'calendar-7' }, { elicitationId: 'mail-7' }] },
    });
  });

  it.each(REQUESTS)(
    'is a question of 2026-07-28, where that error is no more: %s (XTN-04)',
    async (method, params) => {
      const respond = () => {
        // The user is done there by the time that the second question is answered.
        calendar.isConnected = calendar.calls === 2;
        return { action: 'accept' };
      };
      const { asked, result, error } = await STATELESS.converse(desk.url, { method, params, respond });
      expect(asked.map(({ method: question, params: given }) => [question, given])).toEqual([
        ['elicitation/create', { mode: 'url', ...PAGE }],
        ['elicitation/create', { mode: 'url', ...PAGE }],
      ]);
      expect([error, JSON.stringify(result)]).toEqual([undefined, expect.stringContaining('connected')]);
    },
  );

  it.each(['decline', 'cancel'])(
    'is not asked for again if the user does not want to: %s (XTN-04)',
    async (action) => {
      const respond = () => ({ action });
      const conversation = await STATELESS.converse(desk.url, { params: { name: 'plan' }, respond });
      expect(conversation.asked).toHaveLength(1);
      expect(textOf(conversation)).toBe(
        'Your calendar is not connected, and the user declined to open the page',
      );
    },
  );

  it('is never named to a client that cannot open pages (XTN-04)', async () => {
    const capabilities = { elicitation: { form: {} } };
    const params = { name: 'plan' };
    const text =
      'The client did not declare the capability elicitation.url, which "elicitation/create" requires';
    expect(textOf(await SESSION.converse(desk.url, { params, capabilities }))).toBe(text);
    const { error } = await perRequest(desk.url, { capabilities }).request('tools/call', params);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
    const older = await initialize(desk.url, { version: '2025-06-18', capabilities: ABLE });
    const { result } = await older.request('tools/call', params);
    expect(JSON.stringify(result)).toContain('The client uses 2025-06-18, which does not support');
  });

  it('needs an address that is one (XTN-04)', () => {
    expect(() => new UrlElicitationRequiredError({ url: 'connect', message: MESSAGE })).toThrow(
      '"url" must be a URL such as "https://desk.example.com/connect"',
    );
    expect(() => new UrlElicitationRequiredError([])).toThrow('"pages" must contain at least one page');
  });
});
