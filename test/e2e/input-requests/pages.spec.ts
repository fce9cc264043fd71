import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, urlElicitation, type InputRequiredResult, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { CASES, SESSION, STATELESS, textOf } from './conversation.js';

const PAGE = { message: 'Please pay', url: 'https://pay.example.com/checkout?order=7' } as const;

@Injectable()
class PageTools {
  @Tool({ description: 'Sends the user to a page' })
  async pay(_: object, context: McpContext): Promise<string> {
    return JSON.stringify(await context.elicitUrl(PAGE));
  }

  @Tool({ description: 'Sends the user to a page by a name of its own' })
  async payOrder(_: object, context: McpContext): Promise<string> {
    return JSON.stringify(await context.elicitUrl({ ...PAGE, elicitationId: 'order-7' }));
  }

  @Tool({ description: 'Sends the user to two pages' })
  async payTwice(_: object, context: McpContext): Promise<string> {
    const { first, second } = await context.requestAll({
      first: urlElicitation(PAGE),
      second: urlElicitation(PAGE),
    });
    return JSON.stringify([first.action, second.action, first.elicitationId === second.elicitationId]);
  }

  @Tool({ description: 'Sends the user nowhere' })
  async payNowhere(_: object, context: McpContext): Promise<string> {
    return context.elicitUrl({ ...PAGE, url: 'checkout' }).then(
      ({ action }) => action,
      (error: Error) => `${error.name}: ${error.message}`,
    );
  }

  @Tool({ description: 'Gives the page itself' })
  give(_: object, { inputResponses }: McpContext): string | InputRequiredResult {
    const { page } = inputResponses;
    if (page !== undefined) return JSON.stringify(page);
    const params = { mode: 'url', ...PAGE };
    return {
      resultType: 'input_required',
      inputRequests: { page: { method: 'elicitation/create', params } },
    };
  }
}

describe.each(CASES)('A page for the user $name, on $adapter', ({ adapter, converse }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [PageTools] });
  });

  afterAll(() => desk.close());

  it.each(['accept', 'decline', 'cancel'])(
    'is answered with "%s", and with nothing else (REV-01)',
    async (action) => {
      const respond = () => ({ action, content: { card: 'none of ours' } });
      const conversation = await converse(desk.url, { params: { name: 'payOrder' }, respond });
      expect(conversation.asked).toMatchObject([
        { method: 'elicitation/create', params: { mode: 'url', ...PAGE } },
      ]);
      expect(JSON.parse(textOf(conversation) ?? '')).toEqual({ action, elicitationId: 'order-7' });
    },
  );

  it('needs an address that is one (REV-01)', async () => {
    const conversation = await converse(desk.url, { params: { name: 'payNowhere' } });
    expect(conversation.asked).toEqual([]);
    expect(textOf(conversation)).toBe(
      'TypeError: "url" must be a URL such as "https://pay.example.com/checkout"',
    );
  });

  it('is one of several (REV-02)', async () => {
    const respond = () => ({ action: 'accept' });
    const conversation = await converse(desk.url, { params: { name: 'payTwice' }, respond });
    expect(conversation.asked).toHaveLength(2);
    expect(textOf(conversation)).toBe('["accept","accept",false]');
  });

  it('may be given by the handler itself (REV-02)', async () => {
    const respond = () => ({ action: 'accept' });
    const conversation = await converse(desk.url, { params: { name: 'give' }, respond });
    expect(conversation.asked).toMatchObject([{ params: { mode: 'url', ...PAGE } }]);
    expect(textOf(conversation)).toBe('{"action":"accept"}');
  });
});

describe.each(ADAPTERS)('The name of a page, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [PageTools] });
  });

  afterAll(() => desk.close());

  const respond = () => ({ action: 'accept' });

  it.each(['pay', 'give'])(
    'is told in a session, and random where none is given: %s (REV-01)',
    async (name) => {
      const names = new Set<unknown>();
      for (let time = 0; time < 3; time += 1) {
        const conversation = await SESSION.converse(desk.url, { params: { name }, respond });
        const { elicitationId } = conversation.asked[0]?.params ?? {};
        expect(elicitationId).toMatch(/^[\w-]{16,}$/);
        names.add(elicitationId);
      }
      expect(names.size).toBe(3);
    },
  );

  it('is told to the handler (REV-01)', async () => {
    const conversation = await SESSION.converse(desk.url, { params: { name: 'pay' }, respond });
    const elicitationId = conversation.asked[0]?.params['elicitationId'];
    expect(JSON.parse(textOf(conversation) ?? '')).toEqual({ action: 'accept', elicitationId });
  });

  it('is the one that the handler gives (REV-01)', async () => {
    const { asked } = await SESSION.converse(desk.url, { params: { name: 'payOrder' }, respond });
    expect(asked[0]?.params['elicitationId']).toBe('order-7');
  });

  it.each(['pay', 'payOrder', 'give'])(
    'is not told on the stateless wire, which has none: %s (REV-02)',
    async (name) => {
      const { asked } = await STATELESS.converse(desk.url, { params: { name }, respond });
      expect(asked[0]?.params).toEqual({ mode: 'url', ...PAGE });
    },
  );
});
