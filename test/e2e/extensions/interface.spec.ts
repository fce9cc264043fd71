import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpExtensions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { metaKey } from '../../support/clients/message.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { until } from '../../support/until.js';
import { ASKED, Errands, ID } from './errands.app.js';

const DECLARED = { elicitation: { form: {} }, extensions: { [ID]: {} } };
const ADA = authorize(CALLERS.ada.token);
const BOB = authorize(CALLERS.bob.token);

describe.each(ADAPTERS)('What the extension interface gives, on %s', (adapter) => {
  let server: RunningApp;
  let errands: Errands;

  beforeAll(async () => {
    server = await bootServer({
      adapter,
      options: { auth: { bearer: Object.values(CALLERS) } },
      providers: [Errands],
    });
    errands = server.app.get(Errands);
  });

  afterAll(() => server.close());

  const connect = (headers = ADA) => initialize(server.url, { capabilities: DECLARED, headers });
  const stateless = (headers = ADA) => perRequest(server.url, { capabilities: DECLARED, headers });

  it('declares capabilities besides, and what was published on every wire (EXT-03) (EXT-01)', async () => {
    const session = await connect();
    const { result } = await stateless().request('server/discover');
    const experimental = { errands: { most: 3 } };
    expect(session.result).toMatchObject({
      capabilities: { experimental, extensions: { [ID]: { errands: 3 } } },
    });
    expect(result?.['capabilities']).toMatchObject({ experimental });
    expect(result?.['capabilities']).toHaveProperty(['extensions', ID], { errands: 3 });
    expect(result?.['capabilities']).toHaveProperty(['extensions', 'com.example/other'], {
      specVersion: '1',
      stability: 'stable',
    });
  });

  it('tells callers apart by an identity that says nothing else (EXT-03)', async () => {
    const ask = async (headers: typeof ADA) => {
      const [inSession, alone] = await Promise.all([
        (await connect(headers)).request('errands/who'),
        stateless(headers).request('errands/who'),
      ]);
      return [inSession.result?.['identity'], alone.result?.['identity']];
    };
    const [ada, bob] = await Promise.all([ask(ADA), ask(BOB)]);
    expect(ada[0]).toBe(ada[1]);
    expect(bob[0]).toBe(bob[1]);
    expect(ada[0]).not.toBe(bob[0]);
    expect(JSON.stringify([ada, bob])).not.toMatch(/fixed-token/);
  });

  it('sends notifications and requests on the stream of a request (EXT-03) (REV-02)', async () => {
    const session = await connect();
    const stream = await session.start('errands/follow').stream();
    const step = await stream.nextNotification('notifications/errands/step');
    expect(step.params).toEqual({ step: 1, unread: 0 });
    const question = await stream.nextMessage(({ method }) => method === 'elicitation/create');
    expect(question.params).toEqual(ASKED);
    const odd = { action: 'sideways', other: [1] };
    await session.post({ jsonrpc: '2.0', id: question.id, result: odd });
    const { result } = await stream.nextMessage((message) => message.result !== undefined);
    expect(result).toEqual({ answer: odd });
  });

  it('puts no request to a client of the stateless wire, which has no way to answer (EXT-03)', async () => {
    const { error } = await stateless().request('errands/follow');
    expect(error?.code).toBe(-32603);
  });

  it('has a parameter repeated in the header "Mcp-Name" (EXT-03)', async () => {
    const client = stateless();
    const call = (name?: string) =>
      client.request('errands/named', { errand: 'shop' }, { headers: { 'mcp-name': name } });
    expect((await call('shop')).result).toMatchObject({ errand: 'shop' });
    for (const wrong of [undefined, 'shops']) {
      expect(await call(wrong)).toMatchObject({ status: 400, error: { code: -32020 } });
    }
    expect((await (await connect()).request('errands/named', { errand: 'shop' })).result).toEqual({
      errand: 'shop',
    });
  });

  it('is gated for those clients that a function names (EXT-03) (CAP-03)', async () => {
    const session = await initialize(server.url, { headers: ADA });
    expect((await session.request('errands/half-open')).result).toEqual({ open: true });
    const alone = await perRequest(server.url, { headers: ADA }).request('errands/half-open');
    expect(alone.error).toMatchObject({ code: -32021 });
    expect((await stateless().request('errands/half-open')).result).toMatchObject({ open: true });
  });

  it('lets clients listen to what it honors, and hears when they leave (EXT-03)', async () => {
    const call = stateless().start(
      'subscriptions/listen',
      { notifications: { errands: ['shop', 'secret'] } },
      { id: 'e' },
    );
    const stream = await call.stream();
    expect((await stream.nextMessage()).params).toMatchObject({ notifications: { errands: ['shop'] } });
    expect([...errands.open]).toEqual([['shop']]);
    errands.send('notifications/errands/moved', { to: 'shop' });
    expect((await stream.nextNotification('notifications/errands/moved')).params).toEqual({
      to: 'shop',
      _meta: { [metaKey('subscriptionId')]: 'e' },
    });
    await stream.close();
    const refused = await stateless()
      .start('subscriptions/listen', { notifications: { errands: 'x' } })
      .stream();
    const { params } = await refused.nextMessage();
    expect((params as { notifications: object }).notifications).not.toHaveProperty('errands');
    await refused.close();
    await until(() => errands.open.size === 0, 'the end of the subscription');
  });

  it('tells one session, though it declared nothing (EXT-03) (CAP-02)', async () => {
    const [plain, other] = await Promise.all([initialize(server.url, { headers: ADA }), connect()]);
    const streams = await Promise.all([plain.openStream(), other.openStream()]);
    errands.handle.notifySession(plain.id, 'notifications/errands/told', { to: 'you' });
    errands.handle.notifySession('nothing', 'notifications/errands/told', {});
    expect(await streams[0].nextNotification('notifications/errands/told')).toMatchObject({
      params: { to: 'you' },
    });
    errands.handle.notify('notifications/errands/all', {}, other.id);
    errands.handle.notify('notifications/errands/all', {}, plain.id);
    await streams[1].nextNotification('notifications/errands/all');
    expect(streams[0].messages.map(({ method }) => method)).toEqual(['notifications/errands/told']);
    expect(streams[1].messages.map(({ method }) => method)).toEqual(['notifications/errands/all']);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('seals what clients carry, for itself alone (EXT-03)', () => {
    const { handle } = errands;
    const sealed = handle.sign({ step: 2, text: 'ö' });
    expect(handle.verify(sealed)).toEqual({ step: 2, text: 'ö' });
    expect(handle.sign(undefined)).toEqual(expect.any(String));
    const wrong = [`${sealed}A`, sealed.slice(1), 'a.b', '', sealed.replace('.', '')];
    for (const text of wrong) expect(handle.verify(text)).toBeUndefined();
    const extensions = server.app.get(McpExtensions);
    const stranger = extensions.register({
      id: `com.example/stranger-${adapter}`,
      specVersion: '1',
      stability: 'stable',
    });
    expect(stranger.verify(sealed)).toBeUndefined();
  });

  it('calls tools in a client’s place, with its claims and as its own task (EXT-03)', async () => {
    errands.told.length = 0;
    const { result } = await (await connect()).request('errands/run', { name: 'shop' });
    expect(result?.['outcome']).toEqual({
      result: { content: [{ type: 'text', text: 'shop for ada as errand-1' }] },
    });
    expect(errands.told).toEqual([
      ['notifications/progress', { progressToken: 'own', progress: 1, total: 2, message: 'begun' }],
    ]);
  });

  it('answers what tools ask, and again under another key where the answer was wrong (EXT-03)', async () => {
    errands.questions.length = 0;
    const { result } = await (await connect()).request('errands/run', { name: 'ask' });
    expect(result).toMatchObject({ outcome: { result: { content: [{ text: 'yes' }] } } });
    expect(errands.questions).toEqual([
      ['sure', 'elicitation/create'],
      ['sure-2', 'elicitation/create'],
    ]);
  });

  it('calls tools that fail, and that it cancels (EXT-03)', async () => {
    const session = await connect();
    const failed = await session.request('errands/run', { name: 'fail' });
    expect(failed.result).toMatchObject({ outcome: { result: { isError: true } } });
    const cancelled = await session.request('errands/run', { name: 'wait' });
    expect(cancelled.result).toEqual({ outcome: 'cancelled' });
  });

  it('runs other work in the place of a handler (EXT-03)', async () => {
    const { result } = await (await connect()).request('errands/work', { name: 'shop' });
    expect(result).toMatchObject({
      outcome: { result: { content: [{ text: 'other work as errand-1' }] } },
    });
  });
});
