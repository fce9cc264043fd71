import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, NotFoundException } from '@nestjs/common';
import { Resource, ResourceTemplate } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/clients/json-rpc.js';

@Injectable()
class DeskResources {
  @Resource({ uri: 'desk://rules', mimeType: 'text/plain', description: 'The rules', size: 7 })
  rules({ uri }: { uri: string }): string {
    return `rules at ${uri}`;
  }

  @Resource({ uri: 'desk://gone', name: 'gone' })
  gone(): string {
    throw new NotFoundException('nothing here');
  }

  @ResourceTemplate({ uriTemplate: 'desk://tickets/{id}', name: 'ticket', mimeType: 'text/plain' })
  ticket({ id, uri }: { id: string; uri: string }): string {
    return `ticket ${id} at ${uri}`;
  }

  @ResourceTemplate({ uriTemplate: 'desk://files/{+path}', name: 'file' })
  file({ path }: { path: string }): string {
    return `file ${path}`;
  }
}

describe.each(ADAPTERS)('resources on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskResources] });
  });

  afterAll(() => desk.close());

  async function readText(uri: string): Promise<unknown> {
    const { result } = await perRequest(desk.url).request('resources/read', { uri });
    const [contents] = entriesOf(result, 'contents');
    return contents?.['text'];
  }

  it('lists resources with what was declared (CORE-03)', async () => {
    const session = await initialize(desk.url);
    const { result } = await session.request('resources/list');
    expect(result).toEqual({
      resources: [
        {
          uri: 'desk://rules',
          name: 'rules',
          mimeType: 'text/plain',
          description: 'The rules',
          size: 7,
        },
        { uri: 'desk://gone', name: 'gone' },
      ],
    });
  });

  it('lists templates apart from resources (CORE-03)', async () => {
    const session = await initialize(desk.url);
    const { result } = await session.request('resources/templates/list');
    expect(result).toEqual({
      resourceTemplates: [
        { uriTemplate: 'desk://tickets/{id}', name: 'ticket', mimeType: 'text/plain' },
        { uriTemplate: 'desk://files/{+path}', name: 'file' },
      ],
    });
  });

  it('reads a resource by its URI (CORE-03)', async () => {
    const session = await initialize(desk.url);
    const { result } = await session.request('resources/read', { uri: 'desk://rules' });
    expect(result).toEqual({
      contents: [{ uri: 'desk://rules', mimeType: 'text/plain', text: 'rules at desk://rules' }],
    });
  });

  it.each([
    ['desk://tickets/42', 'ticket 42 at desk://tickets/42'],
    ['desk://tickets/a%20b', 'ticket a b at desk://tickets/a%20b'],
    ['desk://files/a/b.txt', 'file a/b.txt'],
  ])('reads %s by the template that it matches (CORE-03)', async (uri, text) => {
    expect(await readText(uri)).toBe(text);
  });

  it.each(HANDSHAKE_VERSIONS)('answers an unknown resource of %s with -32002 (CORE-03)', async (version) => {
    const session = await initialize(desk.url, { version });
    for (const uri of ['desk://missing', 'desk://gone', 'desk://tickets/1/2']) {
      const answer = await session.request('resources/read', { uri });
      expect([answer.status, answer.error?.code]).toEqual([200, -32002]);
    }
  });

  it.each(['desk://missing', 'desk://gone', 'desk://tickets/1/2'])(
    'answers the unknown resource %s of 2026-07-28 with -32602 and its URI (CORE-03)',
    async (uri) => {
      const answer = await perRequest(desk.url).request('resources/read', { uri });
      expect(answer.error).toMatchObject({ code: -32602 });
      expect(answer.result).toBeUndefined();
    },
  );

  it('names an unknown resource in the error of 2026-07-28 (CORE-03)', async () => {
    const answer = await perRequest(desk.url).request('resources/read', { uri: 'desk://missing' });
    expect(answer.error?.data).toEqual({ uri: 'desk://missing' });
  });

  it('answers subscribe and unsubscribe with nothing in the result (CORE-03)', async () => {
    const session = await initialize(desk.url);
    const params = { uri: 'desk://rules' };
    expect((await session.request('resources/subscribe', params)).result).toEqual({});
    expect((await session.request('resources/unsubscribe', params)).result).toEqual({});
    expect((await session.request('resources/unsubscribe', params)).result).toEqual({});
  });
});
