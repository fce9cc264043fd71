import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { RequireScope, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS } from '../../support/applications/boot.js';
import { authorize, PUBLISHED } from '../../support/applications/protected-desk.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import type { Message } from '../../support/clients/message.js';
import { sessionAt, startProcesses, type Processes } from '../../support/cluster/processes.js';
import { until } from '../../support/until.js';

const WORD = z.object({ word: z.string() });
const SAMPLING = { messages: [], maxTokens: 1 };
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: { listChanged: true } };
const TOKENS = {
  full: { token: 'fixed-token-of-ada-with-all', subject: 'ada', scopes: ['desk:read', 'desk:secret'] },
  lesser: { token: 'fixed-token-of-ada-with-less', subject: 'ada', scopes: ['desk:read'] },
  other: { token: 'fixed-token-of-eve-with-all', subject: 'eve', scopes: ['desk:read', 'desk:secret'] },
};

@Injectable()
class Desk {
  readonly heard: unknown[] = [];

  @Tool()
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: 'a word', schema: WORD });
    return answer.action === 'accept' ? answer.content.word : answer.action;
  }

  @Tool()
  async reportAndAsk(_arguments: object, context: McpContext): Promise<string> {
    context.progress(1);
    context.progress(2);
    return this.ask(_arguments, context);
  }

  @Tool()
  async askAfterProgress(_arguments: object, context: McpContext): Promise<string> {
    const onProgress = (progress: unknown) => void this.heard.push(progress);
    const answer = await context.elicit({ message: 'a word', schema: WORD, onProgress });
    return `${answer.action} after ${this.heard.length}`;
  }

  /** As the first revisions can. */
  @Tool()
  async sample(_arguments: object, context: McpContext): Promise<string> {
    return (await context.sample(SAMPLING)).model;
  }

  @Tool()
  async countRoots(_arguments: object, context: McpContext): Promise<string> {
    return String((await context.listRoots()).length);
  }
}

@Injectable()
class SecretDesk extends Desk {
  @Tool()
  @RequireScope('desk:secret')
  async sampleSecretly(_arguments: object, context: McpContext): Promise<string> {
    return (await context.sample(SAMPLING)).model;
  }
}

const sampled = (model: string) => ({ role: 'assistant', content: { type: 'text', text: '' }, model });
/** Of a client that cannot be asked. */
const ANSWERS_ALONE = { accept: 'application/json' };

const accept = (word: string) => ({ action: 'accept', content: { word } });
const answerOf = ({ id }: Message, result: object) => ({ jsonrpc: '2.0', id, result });
const textOf = (stream: EventStream) => {
  const content = stream.messages.find(({ result }) => result !== undefined)?.result?.['content'];
  return (content as { text: string }[] | undefined)?.[0]?.text;
};

/** Calls a tool and reads the question that it puts. */
async function ask(session: SessionClient, name: string): Promise<[EventStream, Message]> {
  const stream = await session.start('tools/call', { name }).stream();
  return [stream, await stream.nextMessage(({ id, method }) => id !== undefined && method !== undefined)];
}

describe.each(ADAPTERS)('A question of one process whose answer reaches another, on %s', (adapter) => {
  let processes: Processes;

  beforeAll(async () => {
    processes = await startProcesses({ adapter, providers: [Desk] });
  });
  afterEach(() => {
    processes.cluster.isAway = false;
  });
  afterAll(() => processes.close());

  const connect = (version = '2025-11-25') =>
    initialize(processes.servers[0].url, { capabilities: CAPABILITIES, version });

  it('has its answer, which is acknowledged by 202 (RELAY-05)', async () => {
    const session = await connect();
    const [stream, question] = await ask(session, 'ask');
    const posted = await sessionAt(processes.servers[1], session).post(answerOf(question, accept('hello')));
    await stream.ended;
    expect([posted.status, textOf(stream)]).toEqual([202, 'hello']);
  });

  it('hears how far its client is before the answer (RELAY-05)', async () => {
    const session = await connect();
    const { heard } = processes.servers[0].app.get(Desk);
    const [stream, question] = await ask(session, 'askAfterProgress');
    const elsewhere = sessionAt(processes.servers[1], session);
    for (const progress of [1, 2]) {
      const params = { progressToken: question.id, progress };
      expect(await elsewhere.notify('notifications/progress', params)).toMatchObject({ status: 202 });
    }
    await elsewhere.post(answerOf(question, { action: 'decline' }));
    await stream.ended;
    expect([heard, textOf(stream)]).toEqual([[{ progress: 1 }, { progress: 2 }], 'decline after 2']);
  });

  it('has its answer from a batch (RELAY-05)', async () => {
    const session = await connect('2025-03-26');
    const questions = [await ask(session, 'sample'), await ask(session, 'sample')];
    const answers = questions.map(([, question], index) => answerOf(question, sampled(`model ${index}`)));
    const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' };
    const posted = await sessionAt(processes.servers[1], session).post([...answers, ping]);
    await Promise.all(questions.map(([stream]) => stream.ended));
    expect(posted.status).toBe(200);
    expect(questions.map(([stream]) => textOf(stream))).toEqual(['model 0', 'model 1']);
  });

  it('is answered by nobody in another session (RELAY-05)', async () => {
    const session = await connect();
    const [stream, question] = await ask(session, 'ask');
    const stranger = sessionAt(processes.servers[1], await connect());
    expect(await stranger.post(answerOf(question, accept('forged')))).toMatchObject({ status: 202 });
    await sessionAt(processes.servers[1], session).post(answerOf(question, accept('real')));
    await stream.ended;
    expect(textOf(stream)).toBe('real');
  });

  it('is void when its process is gone: the answer is taken and dropped (RELAY-05)', async () => {
    const owner = await startProcesses({ adapter, providers: [Desk] });
    const session = await initialize(owner.servers[0].url, { capabilities: CAPABILITIES });
    const [stream, question] = await ask(session, 'ask');
    owner.cluster.faultsOf(0).isDead = true;
    const posted = await sessionAt(owner.servers[1], session).post(answerOf(question, accept('late')));
    expect(posted.status).toBe(202);
    await stream.close();
    await owner.close();
  });

  it('keeps waiting while the engine is away: the client is told to send its answer again (RELAY-07)', async () => {
    const session = await connect();
    const [stream, question] = await ask(session, 'ask');
    const elsewhere = sessionAt(processes.servers[1], session);
    processes.cluster.isAway = true;
    const refused = await processes.impatiently(() => elsewhere.post(answerOf(question, accept('lost'))));
    processes.cluster.isAway = false;
    const taken = await elsewhere.post(answerOf(question, accept('sent again')));
    await stream.ended;
    expect([refused.status, taken.status, textOf(stream)]).toEqual([503, 202, 'sent again']);
    expect(refused.headers['retry-after']).toBeDefined();
  });

  it('reaches a client that takes JSON alone by the standing stream that it reads elsewhere (RELAY-04) (RELAY-05)', async () => {
    const session = await connect();
    const standing = await sessionAt(processes.servers[1], session).openStream();
    const call = session.request(
      'tools/call',
      { name: 'reportAndAsk', _meta: { progressToken: 7 } },
      ANSWERS_ALONE,
    );
    const question = await standing.nextMessage(({ id }) => id !== undefined);
    expect(standing.messages.map(({ method }) => method)).toEqual([
      'notifications/progress',
      'notifications/progress',
      'elicitation/create',
    ]);
    await sessionAt(processes.servers[1], session).post(answerOf(question, accept('heard')));
    expect((await call).result).toMatchObject({ content: [{ text: 'heard' }] });
    await standing.close();
  });

  it('asks again for roots that changed by word of another process (RELAY-05)', async () => {
    const session = await connect();
    const [first, question] = await ask(session, 'countRoots');
    await session.post(answerOf(question, { roots: [] }));
    await first.ended;
    const told = sessionAt(processes.servers[1], session).notify('notifications/roots/list_changed');
    expect(await told).toMatchObject({ status: 202 });
    await until(async () => {
      const { response } = await session.request('tools/call', { name: 'countRoots' }, ANSWERS_ALONE);
      return response?.result?.['isError'] === true;
    }, 'a question that the client takes no stream for');
  });
});

describe('A question of a call that required a scope', () => {
  let processes: Processes;

  beforeAll(async () => {
    const auth = { ...PUBLISHED, bearer: Object.values(TOKENS) };
    processes = await startProcesses({ providers: [SecretDesk], options: { auth } });
  });
  afterAll(() => processes.close());

  const connect = (version = '2025-11-25') =>
    initialize(processes.servers[0].url, {
      capabilities: CAPABILITIES,
      version,
      headers: authorize(TOKENS.full.token),
    });
  const at = (index: 0 | 1, session: SessionClient, token: string) =>
    sessionAt(processes.servers[index], session, authorize(token));

  it('refuses a token without it in another process as in its own (RELAY-05) (FAIR-06)', async () => {
    const session = await connect();
    const [stream, question] = await ask(session, 'sampleSecretly');
    const answer = answerOf(question, sampled('one'));
    const here = await at(0, session, TOKENS.lesser.token).post(answer);
    const elsewhere = await at(1, session, TOKENS.lesser.token).post(answer);
    const seen = ({ status, headers, text }: typeof here) => [status, headers['www-authenticate'], text];
    expect(seen(elsewhere)).toEqual(seen(here));
    expect(elsewhere.status).toBe(403);
    await at(1, session, TOKENS.full.token).post(answer);
    await stream.ended;
    expect(textOf(stream)).toBe('one');
  });

  it('has nothing of a batch taken that a token may not send (RELAY-05) (FAIR-06)', async () => {
    const session = await connect('2025-03-26');
    const [open, openQuestion] = await ask(session, 'sample');
    const [secret, secretQuestion] = await ask(session, 'sampleSecretly');
    const answers = [openQuestion, secretQuestion].map((one) => answerOf(one, sampled('refused')));
    const refused = await at(1, session, TOKENS.lesser.token).post(answers);
    const taken = await at(1, session, TOKENS.full.token).post([
      answerOf(openQuestion, sampled('taken')),
      answerOf(secretQuestion, sampled('taken')),
    ]);
    await Promise.all([open.ended, secret.ended]);
    expect([refused.status, taken.status]).toEqual([403, 202]);
    expect([textOf(open), textOf(secret)]).toEqual(['taken', 'taken']);
  });

  it('puts nothing on the way that lets anybody else in (RELAY-05)', async () => {
    const session = await connect();
    const [stream, question] = await ask(session, 'sampleSecretly');
    await at(1, session, TOKENS.full.token).post(answerOf(question, sampled('one')));
    await stream.ended;
    const { sent } = processes.cluster;
    expect(sent.some((text) => text.includes(String(question.id)))).toBe(true);
    for (const secret of [TOKENS.full.token, session.id]) {
      expect(sent.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});
