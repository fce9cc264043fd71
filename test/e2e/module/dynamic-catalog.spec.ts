import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpCatalog, Prompt, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { Gates } from '../../support/applications/gate.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

@Injectable()
class DeclaredHandlers {
  readonly gates = new Gates();

  @Tool({ description: 'As it was written' })
  declared(): string {
    return 'declared';
  }

  @Tool({ description: 'Waits' })
  async wait(): Promise<string> {
    await this.gates.at('wait').pass();
    return 'done';
  }

  @Prompt()
  declaredPrompt(): string {
    return 'declared';
  }
}

describe.each(ADAPTERS)('the catalog of a running server on %s', (adapter) => {
  let desk: RunningApp;
  let catalog: McpCatalog;
  let session: SessionClient;

  beforeEach(async () => {
    desk = await bootServer({ adapter, providers: [DeclaredHandlers] });
    catalog = desk.app.get(McpCatalog);
    session = await initialize(desk.url);
  });

  afterEach(() => desk.close());

  async function list(method: string, member: string): Promise<readonly JsonObject[]> {
    const [inSession, stateless] = [
      await session.request(method),
      await perRequest(desk.url).request(method),
    ];
    expect(stateless.result?.[member]).toEqual(inSession.result?.[member]);
    return entriesOf(inSession.result, member);
  }

  const names = (entries: readonly JsonObject[]) => entries.map(({ name }) => name);

  it('takes a tool with its schema, and serves it at once (MOD-06)', async () => {
    const before = await list('tools/list', 'tools');
    catalog.tools.add(
      { name: 'add', description: 'Adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }: { a: number; b: number }, context: McpContext) => `${context.method}: ${a + b}`,
    );
    expect(names(await list('tools/list', 'tools'))).toEqual([...names(before), 'add']);
    const right = await session.request('tools/call', { name: 'add', arguments: { a: 2, b: 3 } });
    const wrong = await session.request('tools/call', { name: 'add', arguments: { a: '2' } });
    expect(right.result?.['content']).toEqual([{ type: 'text', text: 'tools/call: 5' }]);
    expect(wrong.result?.['isError']).toBe(true);
  });

  it('takes resources, templates and prompts (MOD-06)', async () => {
    catalog.resources.add({ name: 'clock', uri: 'desk://clock' }, () => 'noon');
    catalog.resourceTemplates.add(
      { name: 'ticket', uriTemplate: 'desk://tickets/{id}' },
      ({ id }: { id: string }) => `ticket ${id}`,
    );
    catalog.prompts.add({ name: 'ask', arguments: [{ name: 'what', required: true }] }, () => 'Ask');
    expect(names(await list('resources/list', 'resources'))).toEqual(['clock']);
    expect(names(await list('resources/templates/list', 'resourceTemplates'))).toEqual(['ticket']);
    expect(names(await list('prompts/list', 'prompts'))).toEqual(['declaredPrompt', 'ask']);
    const texts = [
      await session.request('resources/read', { uri: 'desk://clock' }),
      await session.request('resources/read', { uri: 'desk://tickets/7' }),
      await session.request('prompts/get', { name: 'ask', arguments: { what: 'x' } }),
    ].map(({ result }) => JSON.stringify(result));
    expect(texts).toEqual([
      expect.stringContaining('noon'),
      expect.stringContaining('ticket 7'),
      expect.stringContaining('Ask'),
    ]);
  });

  it('changes what was declared, in its place and with its handler (MOD-06)', async () => {
    catalog.tools.update('declared', { description: 'As it is now', title: 'Declared' });
    const [tool] = await list('tools/list', 'tools');
    expect(tool).toMatchObject({ name: 'declared', description: 'As it is now', title: 'Declared' });
    const { result } = await session.request('tools/call', { name: 'declared' });
    expect(result?.['content']).toEqual([{ type: 'text', text: 'declared' }]);
  });

  it('changes a schema for the next call (MOD-06)', async () => {
    catalog.tools.add({ name: 'echo', inputSchema: z.object({ a: z.string() }) }, (given) =>
      JSON.stringify(given),
    );
    catalog.tools.update('echo', { inputSchema: z.object({ b: z.string() }) });
    const call = async (given: JsonObject) =>
      (await session.request('tools/call', { name: 'echo', arguments: given })).result?.['isError'];
    expect([await call({ a: 'x' }), await call({ b: 'x' })]).toEqual([true, undefined]);
    const listed = (await list('tools/list', 'tools')).at(-1) as { inputSchema: { required: string[] } };
    expect(listed.inputSchema.required).toEqual(['b']);
  });

  it('removes what was declared: it is unknown from then on (MOD-06)', async () => {
    expect([catalog.tools.remove('declared'), catalog.tools.remove('declared')]).toEqual([true, false]);
    catalog.prompts.remove('declaredPrompt');
    expect(names(await list('tools/list', 'tools'))).not.toContain('declared');
    expect(await list('prompts/list', 'prompts')).toEqual([]);
    expect((await session.request('tools/call', { name: 'declared' })).error?.code).toBe(-32602);
    expect((await session.request('prompts/get', { name: 'declaredPrompt' })).error?.code).toBe(-32602);
  });

  it('lets a call that runs go on when its tool is removed (MOD-06)', async () => {
    const gate = desk.app.get(DeclaredHandlers).gates.at('wait');
    const call = session.start('tools/call', { name: 'wait' });
    await gate.reached();
    catalog.tools.remove('wait');
    gate.open();
    expect((await call.answer()).result?.['content']).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('refuses what is there already, not there, or cannot be, and stays as it is (MOD-06, CORE-08)', async () => {
    const before = await list('tools/list', 'tools');
    expect(() => catalog.tools.add({ name: 'declared' }, () => 'again')).toThrow(/"declared"/);
    expect(() => catalog.tools.update('missing', {})).toThrow(/"missing"/);
    expect(() => catalog.tools.add({ name: 'not a name' }, () => 'never')).toThrow(/not a name/);
    expect(() => catalog.tools.add({ name: 'odd', inputSchema: { type: 'array' } }, () => 'never')).toThrow(
      /"odd"|"object"/,
    );
    expect(await list('tools/list', 'tools')).toEqual(before);
  });

  it('is what the lists show, in their order (MOD-06)', async () => {
    catalog.tools.add({ name: 'last' }, () => 'last');
    expect(catalog.tools.list().map(({ name }) => name)).toEqual(['declared', 'wait', 'last']);
    expect(catalog.tools.find('last')).toMatchObject({ name: 'last' });
    expect(catalog.tools.find('missing')).toBeUndefined();
  });
});
