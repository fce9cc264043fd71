import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ThrottlerModule } from '@nestjs/throttler';
import type { RunningApp } from '../../support/applications/boot.js';
import {
  authorize,
  bootDesk,
  PUBLISHED,
  WAYS,
  type DeskParts,
} from '../../support/applications/protected-desk.js';
import { initialize } from '../../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../../support/clients/message.js';
import { until } from '../../support/until.js';
import { asked, ASKED_CALLERS, AskedHandlers, gates, ran } from './asked-desk.js';

const tool = (name: string, project = 'alpha') => ({ name, arguments: { project } });

/** A request for each kind of handler, with what the application is asked for. */
const REQUESTS: readonly (readonly [method: string, params: JsonObject, asks: string])[] = [
  ['tools/call', tool('open'), 'open'],
  ['prompts/get', { name: 'outline', arguments: {} }, 'outline'],
  ['resources/read', { uri: 'desk://plan' }, 'plan'],
  ['resources/read', { uri: 'desk://alpha/plan' }, 'plans'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'outline' }, argument: { name: 'project', value: '' } },
    'outline',
  ],
];

describe.each(WAYS)('Scopes that the application is asked for, with limits, $wire on $adapter', (way) => {
  const { adapter, connect } = way;
  let desk: RunningApp;

  const boot = async (parts: DeskParts = {}) => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(ASKED_CALLERS) },
      imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 2 }])],
      providers: [AskedHandlers],
      ...parts,
    });
  };

  beforeEach(() => {
    asked.length = 0;
    ran.length = 0;
  });

  afterEach(() => desk.close());

  const open = (caller: keyof typeof ASKED_CALLERS) => connect(desk.url, ASKED_CALLERS[caller].token);

  it.each(REQUESTS)(
    'are asked for as often as may be called: %s %j (OPS-04)',
    async (method, params, asks) => {
      await boot();
      const caller = await open('reader');
      const statuses = [];
      for (let count = 0; count < 4; count += 1)
        statuses.push((await caller(method, params).answer()).status);
      expect([statuses, asked.filter((name) => name === asks).length]).toEqual([[200, 429, 429, 429], 1]);
    },
  );

  it('are asked for as often for those who lack them (OPS-04)', async () => {
    await boot();
    const caller = await open('eve');
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await caller('tools/call', tool('open')).answer()).status);
    }
    expect([statuses, asked, ran]).toEqual([[403, 429, 429], ['open'], []]);
    // Nobody else is out of calls.
    expect((await (await open('reader'))('tools/call', tool('open')).answer()).status).toBe(200);
  });

  it('are asked for as often where the method is what is counted (OPS-04)', async () => {
    await boot({ options: { throttle: { methods: ['tools/call'] } } });
    const caller = await open('eve');
    for (const status of [403, 403, 429, 429]) {
      expect((await caller('tools/call', tool('free')).answer()).status).toBe(status);
    }
    expect(asked).toEqual(['free', 'free']);
  });

  it('count an allowed call once (OPS-04)', async () => {
    await boot({ options: { throttle: { methods: ['tools/call'] } } });
    const caller = await open('reader');
    for (const status of [200, 200, 429]) {
      expect((await caller('tools/call', tool('free')).answer()).status).toBe(status);
    }
    expect(ran).toEqual(['free', 'free']);
  });

  it('are not asked for where nobody suggests anything (XTN-04)', async () => {
    await boot();
    const ref = { type: 'ref/prompt', name: 'outline' };
    const params = { ref, argument: { name: 'unsuggested', value: '' } };
    const { status, result } = await (await open('eve'))('completion/complete', params).answer();
    expect([status, result?.['completion'], asked]).toEqual([200, { values: [] }, []]);
  });

  it('leave the places of calls to those that are allowed (OPS-04)', async () => {
    await boot();
    const [eve, reader] = [await open('eve'), await open('reader')];
    const slow = eve('tools/call', tool('alone', `slow ${desk.url}`));
    await gates.at(`slow ${desk.url}`).reached();
    const running = reader('tools/call', tool('alone', desk.url));
    await gates.at(`in ${desk.url}`).reached();
    // A refusal is not that there is no place.
    expect((await eve('tools/call', tool('alone')).answer()).status).toBe(403);
    gates.at(`slow ${desk.url}`).open();
    expect((await slow.answer()).status).toBe(403);
    expect((await reader('tools/call', tool('alone')).answer()).status).toBe(429);
    gates.at(`in ${desk.url}`).open();
    expect((await running.answer()).status).toBe(200);
    expect(ran).toEqual(['alone']);
  });

  it('keep a call from its handler that has waited for them too long (XTN-04)', async () => {
    await boot({ options: { callTimeoutMs: 50 } });
    const caller = await open('reader');
    const project = `slow and late ${desk.url}`;
    const { result } = await caller('tools/call', tool('free', project)).answer();
    expect(result?.['isError'] ?? true).toBe(true);
    gates.at(project).open();
    expect((await caller('tools/call', tool('free')).answer()).status).toBe(200);
    expect(ran).toEqual(['free']);
  });
});

describe.each(['express', 'fastify'] as const)('Scopes of a batch, with limits, on %s', (adapter) => {
  let desk: RunningApp;

  beforeEach(async () => {
    asked.length = 0;
    ran.length = 0;
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(ASKED_CALLERS) },
      imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 2 }])],
      providers: [AskedHandlers],
    });
  });

  afterEach(() => desk.close());

  const call = (id: number, name: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: tool(name),
  });

  async function post(caller: keyof typeof ASKED_CALLERS, names: readonly string[]) {
    const headers = authorize(ASKED_CALLERS[caller].token);
    const session = await initialize(desk.url, { version: '2025-03-26', headers });
    return session.post(names.map((name, index) => call(index, name)));
  }

  it('are asked for once, after the requests are counted, and each counts once (OPS-04)', async () => {
    const { status, json } = await post('reader', ['open', 'open', 'free', 'open']);
    const codes = (json as Message[]).map(({ error }) => error?.code);
    expect([status, codes]).toEqual([200, [undefined, -32023, undefined, -32023]]);
    expect([asked.toSorted(), ran.toSorted()]).toEqual([
      ['free', 'open'],
      ['free', 'open'],
    ]);
  });

  it('are asked for no more often than that where they are lacking (OPS-04)', async () => {
    expect((await post('eve', ['open', 'open', 'open'])).status).toBe(403);
    const again = await post('eve', ['open', 'open', 'open']);
    await until(() => again.status !== 0, 'the answer');
    expect([asked, ran]).toEqual([['open'], []]);
  });
});

describe.each(['express', 'fastify'] as const)(
  'A call whose scopes are still asked for, on %s',
  (adapter) => {
    it('never begins if it is cancelled meanwhile (XTN-04) (CANC-01)', async () => {
      ran.length = 0;
      const desk = await bootDesk(adapter, {
        auth: { ...PUBLISHED, bearer: Object.values(ASKED_CALLERS) },
        imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 2 }])],
        providers: [AskedHandlers],
      });
      const session = await initialize(desk.url, { headers: authorize(ASKED_CALLERS.reader.token) });
      const project = `slow and cancelled ${desk.url}`;
      const { id } = session.start('tools/call', tool('free', project));
      await gates.at(project).reached();
      await session.notify('notifications/cancelled', { requestId: id });
      gates.at(project).open();
      expect((await session.request('tools/call', tool('free'))).status).toBe(200);
      expect(ran).toEqual(['free']);
      await desk.close();
    });
  },
);
