import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
  type LoggingMessageNotification,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { ADAPTERS } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';
import { bootLibrary, COVER, type RunningLibrary } from './library.app.js';
import { Traffic } from './traffic.js';

describe.each(ADAPTERS)('The official client v1, on %s', (adapter) => {
  let library: RunningLibrary;
  let client: Client;
  let traffic: Traffic;

  beforeEach(async () => {
    library = await bootLibrary(adapter);
    traffic = new Traffic();
    client = new Client({ name: 'reader', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(library.url), { fetch: traffic.fetch });
    await client.connect(transport);
  });

  afterEach(async () => {
    await client.close();
    await library.close();
  });

  it('connects, and learns who serves it (MOD-01)', () => {
    expect(client.getServerVersion()).toEqual({ name: 'library', version: '1.0.0' });
    expect(client.getInstructions()).toBe('Ask for authors');
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    });
  });

  it('answers a ping (CORE-03)', async () => {
    await expect(client.ping()).resolves.toEqual({});
  });

  it('lists tools page by page in a stable order (CORE-04)', async () => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      pages.push(page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([['countBooks', 'takeStock'], ['showBook', 'complain'], ['waitForEver']]);
  });

  it('refuses a cursor it never gave (CORE-04)', async () => {
    await expect(client.listTools({ cursor: 'page two' })).rejects.toMatchObject({ code: -32602 });
  });

  it('lists resources, templates and prompts (CORE-03)', async () => {
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const { prompts } = await client.listPrompts();
    expect(resources.map(({ uri }) => uri)).toEqual(['book://catalog', 'book://cover']);
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'author://{name}', name: 'author' }]);
    expect(prompts).toMatchObject([{ name: 'review', arguments: [{ name: 'author', required: true }] }]);
  });

  it('gets structured content that fits the output schema (CORE-06)', async () => {
    await client.listTools();
    const result = await client.callTool({ name: 'countBooks', arguments: { author: 'Ada' } });
    expect(result.structuredContent).toEqual({ author: 'Ada', books: 3 });
    expect(result.content).toEqual([{ type: 'text', text: '{"author":"Ada","books":3}' }]);
  });

  it('gets every kind of content (CORE-06)', async () => {
    const { content } = await client.callTool({ name: 'showBook' });
    expect((content as { type: string }[]).map(({ type }) => type)).toEqual([
      'text',
      'image',
      'audio',
      'resource',
      'resource_link',
    ]);
  });

  it('hears of progress before the result (PROG-01)', async () => {
    const heard: Progress[] = [];
    const call = { name: 'takeStock', arguments: { shelves: 3 } };
    const result = await client.callTool(call, undefined, { onprogress: (progress) => heard.push(progress) });
    expect(result.content).toEqual([{ type: 'text', text: 'Took stock of 3 shelves' }]);
    expect(heard).toEqual(
      [1, 2, 3].map((progress) => ({ progress, total: 3, message: `shelf ${progress}` })),
    );
  });

  it('reads text, bytes and what a template matches (CORE-03) (CORE-06)', async () => {
    const catalog = await client.readResource({ uri: 'book://catalog' });
    const cover = await client.readResource({ uri: 'book://cover' });
    const author = await client.readResource({ uri: 'author://grace' });
    expect(catalog.contents).toEqual([
      {
        uri: 'book://catalog',
        mimeType: 'application/json',
        text: '{"authors":["Ada","Alan","Barbara","Grace"]}',
      },
    ]);
    expect(cover.contents).toEqual([
      { uri: 'book://cover', mimeType: 'image/png', blob: COVER.toString('base64') },
    ]);
    expect(author.contents).toEqual([
      { uri: 'author://grace', mimeType: 'text/plain', text: 'Books by grace' },
    ]);
  });

  it('gets a prompt (CORE-03)', async () => {
    const { messages } = await client.getPrompt({ name: 'review', arguments: { author: 'Alan' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Review the books of Alan' } }]);
  });

  it('completes arguments of prompts and templates (CORE-03)', async () => {
    const argument = { name: 'author', value: 'A' };
    const prompt = await client.complete({ ref: { type: 'ref/prompt', name: 'review' }, argument });
    const template = await client.complete({
      ref: { type: 'ref/resource', uri: 'author://{name}' },
      argument: { name: 'name', value: 'Ba' },
    });
    expect(prompt.completion.values).toEqual(['Ada', 'Alan']);
    expect(template.completion.values).toEqual(['barbara']);
  });

  it('gets log entries from its level on (NOTE-05)', async () => {
    const entries: LoggingMessageNotification['params'][] = [];
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void entries.push(params),
    );
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'complain' });
    expect(entries).toEqual([
      { level: 'warning', logger: 'shelf', data: { missing: 'page 12' } },
      { level: 'error', data: 'a book is lost' },
    ]);
  });

  it('is told of updates of the resource it subscribed to, until it unsubscribes (NOTE-04)', async () => {
    const updated: string[] = [];
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void updated.push(params.uri),
    );
    await until(() => traffic.hasStandingStream, 'the standing stream');
    await client.subscribeResource({ uri: 'book://catalog' });
    await client.subscribeResource({ uri: 'book://cover' });
    library.notifier.resourceUpdated('author://ada');
    library.notifier.resourceUpdated('book://catalog');
    await until(() => updated.length === 1, 'an update');
    await client.unsubscribeResource({ uri: 'book://catalog' });
    library.notifier.resourceUpdated('book://catalog');
    library.notifier.resourceUpdated('book://cover');
    await until(() => updated.length === 2, 'the second update');
    expect(updated).toEqual(['book://catalog', 'book://cover']);
  });

  it('is told that nothing serves a resource which it subscribes to (HOST-03)', async () => {
    await expect(client.subscribeResource({ uri: 'book://lost' })).rejects.toMatchObject({ code: -32002 });
    await expect(client.subscribeResource({ uri: 'author://ada' })).resolves.toEqual({});
  });

  it('is told when a tool comes and goes (NOTE-03)', async () => {
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    await until(() => traffic.hasStandingStream, 'the standing stream');
    library.catalog.tools.add({ name: 'lend', description: 'Lends a book' }, () => 'Lent');
    await until(() => changes === 1, 'the first change');
    await expect(client.callTool({ name: 'lend' })).resolves.toMatchObject({ content: [{ text: 'Lent' }] });
    library.catalog.tools.remove('lend');
    await until(() => changes === 2, 'the second change');
    await expect(client.callTool({ name: 'lend' })).rejects.toMatchObject({ code: -32602 });
  });

  it('aborts the handler of a call it cancels (CANC-01)', async () => {
    const stop = new AbortController();
    const call = client.callTool({ name: 'waitForEver' }, undefined, { signal: stop.signal });
    await until(() => library.tools.waiting === 1, 'the call');
    stop.abort('changed my mind');
    await expect(call).rejects.toThrow('changed my mind');
    await until(() => library.tools.aborted === 1, 'the abortion');
  });

  it('ends its session when it is asked to (HTTP-05)', async () => {
    const transport = client.transport as StreamableHTTPClientTransport;
    expect(library.notifier.sessions).toHaveLength(1);
    await transport.terminateSession();
    expect(library.notifier.sessions).toHaveLength(0);
  });
});
