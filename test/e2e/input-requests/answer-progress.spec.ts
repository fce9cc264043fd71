import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { elicitation, sampling, Tool, type ClientProgress, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import {
  HANDSHAKE_VERSIONS,
  initialize,
  perRequest,
  type SessionClient,
} from '../../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../../support/clients/message.js';
import { ABLE, accept, answer, nextQuestion, nextResponse, questionsOf } from './conversation.js';
import { GUESS, NAME } from './wordings.js';

const SPOKEN = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Ada' } };

@Injectable()
class ListeningTools {
  readonly heard: [question: string, progress: ClientProgress][] = [];

  @Tool({ description: 'Asks and listens' })
  async listen(_: object, context: McpContext): Promise<string> {
    await context.elicit({ ...NAME, onProgress: this.hear('name') });
    return 'done';
  }

  @Tool({ description: 'Asks the model and listens' })
  async listenToModel(_: object, context: McpContext): Promise<string> {
    await context.sample({ ...GUESS, onProgress: this.hear('guess') });
    return 'done';
  }

  @Tool({ description: 'Asks twice at once and listens to both' })
  async listenTwice(_: object, context: McpContext): Promise<string> {
    await context.requestAll({
      name: elicitation({ ...NAME, onProgress: this.hear('name') }),
      guess: sampling({ ...GUESS, onProgress: this.hear('guess') }),
    });
    return 'done';
  }

  @Tool({ description: 'Asks and does not listen' })
  async ask(_: object, context: McpContext): Promise<string> {
    await context.elicit(NAME);
    return 'done';
  }

  @Tool({ description: 'Asks and listens badly' })
  async stumble(_: object, context: McpContext): Promise<string> {
    const onProgress = () => {
      throw new Error('The listener is broken');
    };
    await context.elicit({ ...NAME, onProgress });
    return 'done';
  }

  private hear(question: string) {
    return (progress: ClientProgress) => void this.heard.push([question, progress]);
  }
}

describe.each(ADAPTERS)('The progress of a client with its answer, on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;
  let heard: ListeningTools['heard'];

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [ListeningTools] });
    ({ heard } = desk.app.get(ListeningTools));
  });

  beforeEach(async () => {
    heard.length = 0;
    session = await initialize(desk.url, { capabilities: ABLE });
  });

  afterAll(() => desk.close());

  const start = (name: string) => session.start('tools/call', { name }).stream();
  const tokenOf = ({ params }: Message) => (params?.['_meta'] as JsonObject | undefined)?.['progressToken'];
  const report = (progressToken: unknown, progress: unknown, rest: JsonObject = {}) =>
    session.notify('notifications/progress', { progressToken, progress, ...rest });

  it.each(HANDSHAKE_VERSIONS)('reaches the handler in %s (PROG-02)', async (version) => {
    session = await initialize(desk.url, { version, capabilities: ABLE });
    const stream = await start('listenToModel');
    const question = await nextQuestion(stream);
    expect(['string', 'number']).toContain(typeof tokenOf(question));
    expect((await report(tokenOf(question), 1)).status).toBe(202);
    await report(tokenOf(question), 2, { total: 4, message: 'The user is typing' });
    await answer(session, question, SPOKEN);
    await nextResponse(stream);
    expect(heard).toEqual([
      ['guess', { progress: 1 }],
      ['guess', { progress: 2, total: 4, message: 'The user is typing' }],
    ]);
  });

  it('is asked for where the handler listens, and else not (PROG-02)', async () => {
    const stream = await start('ask');
    const question = await nextQuestion(stream);
    expect(tokenOf(question)).toBeUndefined();
    expect((await report(question.id, 1)).status).toBe(202);
    await answer(session, question, accept({}));
    await nextResponse(stream);
    expect(heard).toEqual([]);
  });

  it('is matched by its token (PROG-02)', async () => {
    const stream = await start('listenTwice');
    const name = await nextQuestion(stream, 'elicitation/create');
    const guess = await nextQuestion(stream, 'sampling/createMessage');
    expect(tokenOf(name)).not.toBe(tokenOf(guess));
    await report(tokenOf(guess), 7);
    await report(tokenOf(name), 1);
    await answer(session, guess, SPOKEN);
    await report(tokenOf(guess), 8);
    await report(tokenOf(name), 2);
    await answer(session, name, accept({}));
    await nextResponse(stream);
    expect(heard).toEqual([
      ['guess', { progress: 7 }],
      ['name', { progress: 1 }],
      ['name', { progress: 2 }],
    ]);
  });

  it('is dropped with a token that is unknown, or of another session (PROG-02) (SESS-04)', async () => {
    const stream = await start('listen');
    const question = await nextQuestion(stream);
    const other = await initialize(desk.url, { capabilities: ABLE });
    const params = { progressToken: tokenOf(question), progress: 1 };
    expect((await other.notify('notifications/progress', params)).status).toBe(202);
    for (const token of ['unknown', 0, null, {}, [tokenOf(question)], undefined]) {
      const { status, text } = await report(token, 1);
      expect([status, text]).toEqual([202, '']);
    }
    await session.notify('notifications/progress');
    await report(tokenOf(question), 2);
    await answer(session, question, accept({}));
    await nextResponse(stream);
    expect(heard).toEqual([['name', { progress: 2 }]]);
  });

  it('is dropped where it does not increase (PROG-02)', async () => {
    const stream = await start('listen');
    const question = await nextQuestion(stream);
    for (const progress of [3, 3, 2, 'four', null, 5]) await report(tokenOf(question), progress);
    await answer(session, question, accept({}));
    await nextResponse(stream);
    expect(heard.map(([, { progress }]) => progress)).toEqual([3, 5]);
  });

  it('fails the call whose listener fails, and nothing else (PROG-02) (SAFE-04)', async () => {
    const stream = await start('stumble');
    const question = await nextQuestion(stream);
    expect((await report(tokenOf(question), 1)).status).toBe(202);
    expect(await nextResponse(stream)).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(stream.messages)).not.toContain('broken');
    expect((await session.request('ping')).result).toEqual({});
  });

  it('is not asked for on the stateless wire, which has none (REV-02)', async () => {
    const client = perRequest(desk.url, { capabilities: ABLE });
    const { result } = await client.request('tools/call', { name: 'listenTwice' });
    const questions = questionsOf(result ?? {});
    expect(questions.map(({ params }) => params['_meta'])).toEqual([undefined, undefined]);
    expect(questions.map(({ key }) => key)).toEqual(['name', 'guess']);
  });
});
