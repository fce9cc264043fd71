import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject } from '../../support/clients/message.js';
import { answer, nextQuestion, nextResponse, textOf } from './conversation.js';

const HOME = { uri: 'file:///home/ada' };
const WORK = { uri: 'file:///work' };

@Injectable()
class RootTool {
  @Tool({ description: 'Lists the roots' })
  async list(_: object, context: McpContext): Promise<string> {
    return (await context.listRoots()).map(({ uri }) => uri).join(' ');
  }
}

describe.each(ADAPTERS)('What lets a server ask for roots, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [RootTool] });
  });

  afterAll(() => desk.close());

  const declaring = (roots: JsonObject) => ({ _meta: { [metaKey('clientCapabilities')]: { roots } } });

  /** Lists the roots in a call with these further parameters; the client is expected to be asked, and gives these. */
  async function list(session: SessionClient, params: JsonObject, root: JsonObject) {
    const stream = await session.start('tools/call', { name: 'list', ...params }).stream();
    await answer(session, await nextQuestion(stream, 'roots/list'), { roots: [root] });
    return textOf(await nextResponse(stream));
  }

  const refusal = /did not declare the capability roots/;

  it('is that the client declared them: another is not asked, whatever it tells of changes (REV-01) (NOTE-07)', async () => {
    const session = await initialize(desk.url, { capabilities: { elicitation: {}, sampling: {} } });
    expect((await session.notify('notifications/roots/list_changed')).status).toBe(202);
    const called = await session.request('tools/call', { name: 'list' });
    expect([textOf(called), called.notifications]).toEqual([expect.stringMatching(refusal), []]);
    const other = await initialize(desk.url, { capabilities: { roots: {} } });
    expect(await list(other, {}, HOME)).toBe(HOME.uri);
  });

  it('may be declared by one request, for that alone: it is asked, and nothing is kept (CAP-01)', async () => {
    const session = await initialize(desk.url);
    const declared = declaring({ listChanged: true });
    expect(await list(session, declared, HOME)).toBe(HOME.uri);
    expect(await list(session, declared, WORK)).toBe(WORK.uri);
    expect(textOf(await session.request('tools/call', { name: 'list' }))).toMatch(refusal);
  });

  it('is what each request declares on the stateless wire (REV-02)', async () => {
    const client = perRequest(desk.url);
    const able = await client.request('tools/call', { name: 'list' }, { capabilities: { roots: {} } });
    expect(able.result).toMatchObject({ inputRequests: { 'question-1': { method: 'roots/list' } } });
    const unable = await client.request('tools/call', { name: 'list' });
    expect([unable.status, unable.error?.code]).toEqual([400, -32021]);
  });
});
