import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  Complete,
  McpCatalog,
  McpNotifier,
  Prompt,
  RequireScope,
  Resource,
  ResourceTemplate,
  type McpContext,
} from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { authorize, bootDesk, METADATA, PUBLISHED, WAYS } from '../../support/applications/protected-desk.js';

const ran: string[] = [];

@Injectable()
@RequireScope('desk:use')
class DeskHandlers {
  @Resource({ uri: 'desk://rules' })
  @RequireScope('desk:rules')
  rules(): string {
    ran.push('rules');
    return 'rules';
  }

  @ResourceTemplate({ uriTemplate: 'desk://tickets/{id}' })
  @RequireScope('desk:tickets')
  ticket(): string {
    ran.push('ticket');
    return 'ticket';
  }

  @Complete({ resourceTemplate: 'desk://tickets/{id}', argument: 'id' })
  @RequireScope('desk:search')
  ids(): string[] {
    ran.push('ids');
    return ['1'];
  }

  @Prompt({ arguments: [{ name: 'topic' }, { name: 'day' }] })
  @RequireScope('desk:plan')
  plan(): string {
    ran.push('plan');
    return 'plan';
  }

  @Complete({ prompt: 'plan', argument: 'topic' })
  topics(): string[] {
    ran.push('topics');
    return ['rain'];
  }
}

@Injectable()
class FreeHandlers {
  @Resource({ uri: 'desk://hours' })
  hours(): string {
    return '9 to 17';
  }

  @Resource({ uri: 'desk://late' })
  late(_arguments: object, { auth }: McpContext): string {
    ran.push('late');
    auth.requireScope('desk:late');
    return 'late';
  }

  @Prompt({ arguments: [{ name: 'topic' }] })
  greet(): string {
    return 'hello';
  }

  @Complete({ prompt: 'greet', argument: 'topic' })
  @RequireScope('desk:suggest')
  greetings(): string[] {
    ran.push('greetings');
    return ['good day'];
  }
}

const SCOPES = ['use', 'rules', 'tickets', 'search', 'plan', 'suggest', 'late'].map((name) => `desk:${name}`);
const TOKENS = {
  none: { token: 'fixed-token-with-no-scope', subject: 'eve' },
  use: { token: 'fixed-token-with-one-scope', subject: 'bob', scopes: ['desk:use'] },
  all: { token: 'fixed-token-with-all-of-them', subject: 'ada', scopes: SCOPES },
};

const complete = (ref: object, name: string) => ({ ref, argument: { name, value: '' } });
const PLAN = { type: 'ref/prompt', name: 'plan' };
const GREET = { type: 'ref/prompt', name: 'greet' };
const TICKET = { type: 'ref/resource', uri: 'desk://tickets/{id}' };

/** Each request with what it needs, in declared order. */
const GUARDED: readonly (readonly [string, string, JsonObject, string])[] = [
  ['a resource', 'resources/read', { uri: 'desk://rules' }, 'desk:use desk:rules'],
  ['a resource of a template', 'resources/read', { uri: 'desk://tickets/7' }, 'desk:use desk:tickets'],
  ['a prompt', 'prompts/get', { name: 'plan' }, 'desk:use desk:plan'],
  ['suggestions for a prompt', 'completion/complete', complete(PLAN, 'topic'), 'desk:use desk:plan'],
  ['an argument without suggestions', 'completion/complete', complete(PLAN, 'day'), 'desk:use desk:plan'],
  [
    'suggestions for a template',
    'completion/complete',
    complete(TICKET, 'id'),
    'desk:use desk:tickets desk:search',
  ],
  ['suggestions for an open prompt', 'completion/complete', complete(GREET, 'topic'), 'desk:suggest'],
];

const IN_SESSIONS: typeof GUARDED = [
  ['to subscribe to a resource', 'resources/subscribe', { uri: 'desk://rules' }, 'desk:use desk:rules'],
  [
    'to subscribe to one of a template',
    'resources/subscribe',
    { uri: 'desk://tickets/7' },
    'desk:use desk:tickets',
  ],
  ['to unsubscribe', 'resources/unsubscribe', { uri: 'desk://rules' }, 'desk:use desk:rules'],
];

const challengeFor = (scope: string): string =>
  `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${METADATA}", ` +
  'error_description="The token lacks a required scope"';

describe.each(WAYS)('What requires scopes $wire on $adapter', ({ adapter, connect, wire }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(TOKENS) },
      providers: [DeskHandlers, FreeHandlers],
    });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  async function ask(caller: keyof typeof TOKENS, method: string, params: JsonObject) {
    return (await connect(desk.url, TOKENS[caller].token))(method, params).answer();
  }

  it.each(wire === 'in a session' ? [...GUARDED, ...IN_SESSIONS] : GUARDED)(
    'is answered with 403 and an error: %s (STEP-01, STEP-02)',
    async (_, method, params, scope) => {
      for (const caller of ['none', 'use'] as const) {
        const { status, headers, response, error } = await ask(caller, method, params);
        expect([status, headers['www-authenticate']]).toEqual([403, challengeFor(scope)]);
        expect(response).toMatchObject({ jsonrpc: '2.0', id: expect.any(Number) });
        expect(error).toEqual({ code: -32600, message: `insufficient_scope: ${scope}` });
      }
      expect(ran).toEqual([]);
      expect(await ask('all', method, params)).toMatchObject({ status: 200 });
    },
  );

  it('is answered so where a handler asks before the answer has begun (STEP-02)', async () => {
    const { status, headers, error } = await ask('use', 'resources/read', { uri: 'desk://late' });
    expect([status, headers['www-authenticate'], error?.code]).toEqual([
      403,
      challengeFor('desk:late'),
      -32600,
    ]);
    expect(ran).toEqual(['late']);
  });

  it('leaves the rest alone, and what does not exist (STEP-01)', async () => {
    expect(await ask('none', 'resources/read', { uri: 'desk://hours' })).toMatchObject({ status: 200 });
    expect(await ask('none', 'prompts/get', { name: 'greet' })).toMatchObject({ status: 200 });
    const missing = await ask('none', 'resources/read', { uri: 'desk://nowhere' });
    expect([missing.status, missing.error?.code]).toEqual([200, wire === 'in a session' ? -32002 : -32602]);
  });

  it.each([
    ['completion/complete', complete({ type: 'ref/prompt', name: { toString: 1, valueOf: 1 } }, 'topic')],
    ['completion/complete', { ref: PLAN, argument: { name: { toString: 1, valueOf: 1 }, value: '' } }],
    ['completion/complete', { ref: null, argument: null }],
    ['completion/complete', { ref: [PLAN] }],
    ['resources/read', { uri: ['desk://rules'] }],
    ['resources/read', {}],
    ['prompts/get', { name: { toString: 1 } }],
    ['tools/call', { name: 7 }],
  ])('is not confused by params that are none: %s %j (STEP-01, SAFE-01)', async (method, params) => {
    const { status, error } = await ask('all', method, params);
    // On the stateless wire a name that is none cannot be repeated in a header either.
    const outcomes =
      wire === 'in a session'
        ? [[200, -32602]]
        : [
            [200, -32602],
            [400, -32020],
          ];
    expect(outcomes).toContainEqual([status, error?.code]);
  });

  it('counts from when the catalog has it, and no longer (STEP-01, MOD-06)', async () => {
    const { resources } = desk.app.get(McpCatalog);
    const uri = 'desk://board';
    resources.add({ uri, name: 'board', requiredScopes: ['desk:board'] }, () => 'board');
    expect(await ask('all', 'resources/read', { uri })).toMatchObject({ status: 403 });
    resources.remove(uri);
    expect(await ask('all', 'resources/read', { uri })).toMatchObject({ status: 200, error: {} });
  });
});

describe.each(WAYS.filter(({ wire }) => wire === 'in a session'))(
  'A subscription on $adapter',
  ({ adapter }) => {
    let desk: RunningApp;

    beforeAll(async () => {
      desk = await bootDesk(adapter, {
        auth: { ...PUBLISHED, bearer: Object.values(TOKENS) },
        providers: [DeskHandlers, FreeHandlers],
      });
    });

    afterAll(() => desk.close());

    it('on the stateless wire needs what all of its resources need (STEP-01, STEP-02)', async () => {
      const uris = ['desk://hours', 'desk://tickets/7', 'desk://rules'];
      const listen = (token: string, resourceSubscriptions: unknown, more: JsonObject = {}) =>
        perRequest(desk.url, { headers: authorize(token) }).start('subscriptions/listen', {
          notifications: { resourceSubscriptions, ...more },
        });
      const refused = await listen(TOKENS.use.token, uris).answer();
      expect([refused.status, refused.headers['www-authenticate'], refused.error?.code]).toEqual([
        403,
        challengeFor('desk:use desk:tickets desk:rules'),
        -32600,
      ]);
      for (const call of [listen(TOKENS.none.token, ['desk://hours']), listen(TOKENS.all.token, uris)]) {
        const stream = await call.stream();
        await stream.nextNotification('notifications/subscriptions/acknowledged');
        await stream.close();
      }
      const wrong = await listen(
        TOKENS.all.token,
        Array.from({ length: 20_000 }, () => 'd'),
      ).answer();
      expect([wrong.status, wrong.error?.code]).toEqual([200, -32602]);
    });

    it('in a session brings nothing to whom it was refused (STEP-01)', async () => {
      const [bob, ada] = await Promise.all(
        [TOKENS.use, TOKENS.all].map(({ token }) => initialize(desk.url, { headers: authorize(token) })),
      );
      const streams = [await bob!.openStream(), await ada!.openStream()];
      for (const session of [bob!, ada!])
        await session.request('resources/subscribe', { uri: 'desk://rules' });
      const notifier = desk.app.get(McpNotifier);
      notifier.resourceUpdated('desk://rules');
      notifier.log('error', 'last');
      for (const stream of streams) await stream.nextNotification('notifications/message');
      const methods = streams.map(({ messages }) => messages.map(({ method }) => method));
      expect(methods).toEqual([
        ['notifications/message'],
        ['notifications/resources/updated', 'notifications/message'],
      ]);
      for (const stream of streams) await stream.close();
    });
  },
);
