import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { until, within } from '../../support/until.js';
import { AskingTool } from './asking-tool.js';
import { ABLE, accept, answer, nextQuestion, nextResponse, textOf } from './conversation.js';

let counter = 0;

describe.each(ADAPTERS)('A question whose caller goes away, on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;
  let mark: string;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [AskingTool] });
  });

  beforeEach(async () => {
    session = await initialize(desk.url, { capabilities: ABLE });
    mark = `${adapter} ${(counter += 1)}`;
  });

  afterAll(() => desk.close());

  const start = () => session.start('tools/call', { name: 'ask', arguments: { mark } });
  const isOver = (name = mark) => until(() => desk.app.get(AskingTool).ends[name], 'the end of the question');

  it('is given up when the session is ended (CANC-03)', async () => {
    const stream = await start().stream();
    const question = await nextQuestion(stream);
    expect((await session.delete()).status).toBeLessThan(300);
    expect(await isOver()).toMatchObject({ name: 'ToolError' });
    await within(stream.ended, 'the end of the stream');
    expect(stream.messages.some((message) => 'result' in message || 'error' in message)).toBe(false);
    expect((await answer(session, question, accept({ name: 'Ada' }))).status).toBe(404);
  });

  it('is given up when the server shuts down (CANC-03)', async () => {
    const brief = await bootServer({ adapter, providers: [AskingTool] });
    const { ends } = brief.app.get(AskingTool);
    const guest = await initialize(brief.url, { capabilities: ABLE });
    const stream = await guest.start('tools/call', { name: 'ask', arguments: { mark } }).stream();
    await nextQuestion(stream);
    await brief.close();
    await within(stream.ended, 'the end of the stream');
    expect(ends[mark]).toMatchObject({ name: 'ToolError' });
  });

  it('waits for a client that lost its stream: it is put again, and its answer counts (REV-02)', async () => {
    const call = start();
    const lost = await call.stream();
    const question = await nextQuestion(lost);
    const [before] = lost.events;
    call.disconnect();
    await within(lost.ended, 'the end of the lost stream');

    const found = await session.openStream({ lastEventId: before?.id });
    expect(await nextQuestion(found)).toEqual(question);
    await answer(session, question, accept({ name: 'Ada' }));
    expect(textOf(await nextResponse(found))).toBe('{"action":"accept","content":{"name":"Ada"}}');
    await within(found.ended, 'the end of the stream');
  });

  it('is asked in the log where the client is away already, and answered when it is back (REV-02)', async () => {
    const call = start();
    const lost = await call.stream();
    const question = await nextQuestion(lost);
    const { lastEventId } = lost;
    call.disconnect();
    await within(lost.ended, 'the end of the lost stream');
    await answer(session, question, accept({ name: 'Ada' }));
    const found = await session.openStream({ lastEventId });
    expect(textOf(await nextResponse(found))).toBe('{"action":"accept","content":{"name":"Ada"}}');
    expect(found.messages).toHaveLength(1);
    await within(found.ended, 'the end of the stream');
  });

  it('keeps its session alive while others fall silent (REV-02)', async () => {
    const brief = await bootServer({
      adapter,
      options: { sessions: { idleTimeoutMs: 1500 } },
      providers: [AskingTool],
    });
    const { app, url } = brief;
    const guest = await initialize(url, { capabilities: ABLE });
    const stream = await guest.start('tools/call', { name: 'ask', arguments: { mark } }).stream();
    const question = await nextQuestion(stream);
    const silent = await initialize(url);
    const ids = () => app.get(McpNotifier, { strict: false }).sessions.map(({ id }) => id);
    await until(() => !ids().includes(silent.id), 'the end of the silent session');
    await answer(guest, question, accept({ name: 'Ada' }));
    expect(textOf(await nextResponse(stream))).toBe('{"action":"accept","content":{"name":"Ada"}}');
    await brief.close();
  });
});
