import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { openHttp } from '../../support/clients/raw-http.js';
import type { JsonObject, Message } from '../../support/clients/message.js';
import { textOfCall } from '../../support/clients/tools.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';

const LONG_MS = 30_000;
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start();
}, 120_000);

afterAll(() => cluster.stop());

const open = () => initialize(cluster.urlOf(0), { capabilities: CAPABILITIES });
const elsewhere = (session: SessionClient, index = 1) => session.at(cluster.urlOf(index));

interface AskedCall {
  readonly stream: EventStream;
  readonly question: Message;
}

/** Calls a tool in the first process, and waits for its question. */
async function callAndBeAsked(session: SessionClient, name: string, meta = {}): Promise<AskedCall> {
  const params = { name, arguments: {}, _meta: meta };
  const stream = await session.at(cluster.urlOf(0)).start('tools/call', params).stream();
  const question = await stream.nextMessage(
    ({ id, method }) => id !== undefined && method !== undefined,
    LONG_MS,
  );
  return { stream, question };
}

async function readResult(stream: EventStream): Promise<Message> {
  return stream.nextMessage(({ method }) => method === undefined, LONG_MS);
}

const answerTo = ({ id }: Message, result: JsonObject) => ({ jsonrpc: '2.0', id, result });

describe('A question that one process asks', () => {
  it.each([
    ['ask', { action: 'accept', content: { word: 'verso' } }],
    ['sample', { role: 'assistant', model: 'm', content: { type: 'text', text: 'verso' } }],
    ['listRoots', { roots: [{ uri: 'verso' }].map(({ uri }) => ({ uri: `file:///${uri}` })) }],
  ])('is answered by what the client posts to another: %s (RELAY-05) (RELAY-01)', async (name, answer) => {
    const session = await open();
    const { stream, question } = await callAndBeAsked(session, name);
    const posted = await elsewhere(session).post(answerTo(question, answer));
    expect(posted.status).toBe(202);
    const { result } = await readResult(stream);
    expect(textOfCall(result)).toMatch(new RegExp(`verso at ${cluster.at(0).pid}$`));
    await stream.close();
  });

  it('is answered by an error of the client that is posted to another (RELAY-05)', async () => {
    const session = await open();
    const { stream, question } = await callAndBeAsked(session, 'sample');
    const error = { code: -1, message: 'The user said no' };
    await elsewhere(session).post({ jsonrpc: '2.0', id: question.id, error });
    const answer = await readResult(stream);
    expect(JSON.stringify(answer)).toMatch(/said no|isError|"error"/);
    await stream.close();
  });

  it('hears of the client’s progress that is posted to another (RELAY-05)', async () => {
    const session = await open();
    const { stream, question } = await callAndBeAsked(session, 'askPatiently');
    const { progressToken } = (question.params?.['_meta'] ?? {}) as JsonObject;
    const progress = { progressToken, progress: 42 };
    expect((await elsewhere(session).notify('notifications/progress', progress)).status).toBe(202);
    await cluster.at(0).prints('client at 42');
    await elsewhere(session, 2).post(answerTo(question, { action: 'decline' }));
    expect(textOfCall((await readResult(stream)).result)).toBe('decline');
    await stream.close();
  });

  it('takes no answer from another session, whichever process it is posted to (RELAY-05)', async () => {
    const [session, stranger] = [await open(), await open()];
    const { stream, question } = await callAndBeAsked(session, 'ask');
    await elsewhere(stranger).post(answerTo(question, { action: 'accept', content: { word: 'stolen' } }));
    await stranger.post(answerTo(question, { action: 'accept', content: { word: 'stolen' } }));
    await elsewhere(session).post(answerTo(question, { action: 'accept', content: { word: 'own' } }));
    expect(textOfCall((await readResult(stream)).result)).toMatch(/^own at/);
    await stream.close();
  });
});

describe('A call that runs in one process', () => {
  it('is cancelled by what the client posts to another (RELAY-05)', async () => {
    const session = await open();
    const params = { name: 'hold', arguments: { name: 'far' }, _meta: { progressToken: 't' } };
    const call = session.start('tools/call', params);
    const stream = await call.stream();
    await stream.nextNotification('notifications/progress', LONG_MS);
    const told = await elsewhere(session).notify('notifications/cancelled', { requestId: call.id });
    expect(told.status).toBe(202);
    await cluster.at(0).prints('aborted far.');
    await stream.close();
  });

  it('is not cancelled by another session that has a call of the same id (RELAY-05)', async () => {
    const [session, near, far] = [await open(), await open(), await open()];
    const hold = (name: string) => ({ name: 'hold', arguments: { name }, _meta: { progressToken: 't' } });
    const call = session.start('tools/call', hold('kept'));
    const stream = await call.stream();
    await stream.nextNotification('notifications/progress', LONG_MS);
    const strangers = [
      { name: 'strange near', own: near, cancels: near },
      { name: 'strange far', own: far, cancels: elsewhere(far) },
    ];
    // What cancels their own calls has been done by then for the other call as well.
    for (const { name, own, cancels } of strangers) {
      const response = await openHttp(own.url, {
        json: { jsonrpc: '2.0', id: call.id, method: 'tools/call', params: hold(name) },
        headers: { accept: 'application/json, text/event-stream', ...own.headers },
      });
      await cluster.at(0).prints(`holding ${name}.`);
      await cancels.notify('notifications/cancelled', { requestId: call.id });
      await cluster.at(0).prints(`aborted ${name}.`);
      response.destroy();
    }
    expect(cluster.at(0).stdout).not.toContain('aborted kept.');
    await elsewhere(session).notify('notifications/cancelled', { requestId: call.id });
    await cluster.at(0).prints('aborted kept.');
    await stream.close();
  });

  it('is taken up in another, where its client comes back for it (RELAY-05) (RELAY-01)', async () => {
    const session = await open();
    const params = { name: 'letGo', arguments: { ms: 300, name: 'x' }, _meta: { progressToken: 't' } };
    const stream = await session.start('tools/call', params).stream();
    await stream.ended;
    expect(stream.lastEventId).toBeDefined();
    const back = await elsewhere(session).openStream({ lastEventId: stream.lastEventId });
    const { result } = await back.nextMessage((message) => message.method === undefined, LONG_MS);
    expect(textOfCall(result)).toBe(`let go x at ${cluster.at(0).pid}`);
    await back.close();
  });

  it('is taken up in another after it was answered (RELAY-05)', async () => {
    const session = await open();
    const params = { name: 'steps', arguments: { count: 3 }, _meta: { progressToken: 't' } };
    const stream = await session.start('tools/call', params).stream();
    await stream.ended;
    const [first] = stream.events;
    const back = await elsewhere(session, 2).openStream({ lastEventId: first?.id });
    await back.nextMessage(({ result }) => result !== undefined, LONG_MS);
    expect(back.messages.map((message) => message.method ?? 'result')).toEqual(
      stream.messages.map((message) => message.method ?? 'result').slice(first?.data ? 1 : 0),
    );
    await back.close();
  });

  it('is not taken up by another session (RELAY-05)', async () => {
    const [session, stranger] = [await open(), await open()];
    const params = { name: 'letGo', arguments: { ms: 100, name: 'own' }, _meta: { progressToken: 't' } };
    const stream = await session.start('tools/call', params).stream();
    await stream.ended;
    const wrong = await elsewhere(stranger)
      .openStream({ lastEventId: stream.lastEventId })
      .catch(() => undefined);
    const right = await elsewhere(session).openStream({ lastEventId: stream.lastEventId });
    const { result } = await right.nextMessage((message) => message.method === undefined, LONG_MS);
    expect(textOfCall(result)).toMatch(/^let go own/);
    expect(JSON.stringify(wrong?.messages ?? [])).not.toContain('let go own');
    await Promise.all([wrong?.close(), right.close()]);
  });
});

describe('A process that dies', () => {
  it('leaves its calls answered with an error that says so, and takes no answer for their questions (RELAY-05)', async () => {
    const own = await ProcessCluster.start({ redis: cluster.redis, environment: { PREFIX: 'dying' } });
    try {
      const session = await initialize(own.urlOf(0), { capabilities: CAPABILITIES });
      const stream = await session.start('tools/call', { name: 'ask', arguments: {} }).stream();
      const question = await stream.nextMessage(({ method }) => method === 'elicitation/create', LONG_MS);
      await own.at(0).stop('SIGKILL');
      await stream.ended;
      const posted = await session
        .at(own.urlOf(1))
        .post(answerTo(question, { action: 'accept', content: { word: 'late' } }));
      expect(posted.status).toBe(202);
      const back = await session.at(own.urlOf(2)).openStream({ lastEventId: stream.lastEventId });
      const { error } = await back.nextMessage((message) => message.error !== undefined, LONG_MS);
      expect(error?.message).toMatch(/process/);
      await back.close();
    } finally {
      await own.stop();
    }
  }, 120_000);
});
