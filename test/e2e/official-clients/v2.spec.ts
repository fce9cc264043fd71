import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Client,
  StreamableHTTPClientTransport,
  type LoggingMessageNotification,
  type Progress,
  type Tool,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { ADAPTERS, type AdapterName } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';
import { bootLibrary, COVER, type RunningLibrary } from './library.app.js';
import { Traffic } from './traffic.js';

interface Wire {
  readonly version: string;
  readonly mode: VersionNegotiationMode;
}

const SESSION: Wire = { version: '2025-11-25', mode: 'legacy' };
const STATELESS: Wire = { version: '2026-07-28', mode: { pin: '2026-07-28' } };
const CASES = ADAPTERS.flatMap((adapter) => [SESSION, STATELESS].map((wire) => ({ adapter, ...wire })));

type OnToolsChanged = (tools: readonly Tool[]) => void;

async function connect(url: string, mode: VersionNegotiationMode, onToolsChanged: OnToolsChanged = () => {}) {
  const traffic = new Traffic();
  const client = new Client(
    { name: 'reader', version: '2.0.0' },
    {
      versionNegotiation: { mode },
      listChanged: { tools: { onChanged: (_error, tools) => onToolsChanged(tools ?? []), debounceMs: 0 } },
    },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: traffic.fetch }));
  return { client, traffic };
}

describe.each(CASES)('The official client v2 with $version, on $adapter', ({ adapter, version, mode }) => {
  let library: RunningLibrary;
  let client: Client;
  let traffic: Traffic;
  let lists: string[][];

  beforeEach(async () => {
    library = await bootLibrary(adapter);
    lists = [];
    ({ client, traffic } = await connect(library.url, mode, (tools) => {
      lists.push(tools.map(({ name }) => name));
    }));
  });

  afterEach(async () => {
    await client.close();
    await library.close();
  });

  it('connects, and learns who serves it (MOD-01)', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toEqual({ name: 'library', version: '1.0.0' });
    expect(client.getInstructions()).toBe('Ask for authors');
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
    });
  });

  it('lists tools page by page in a stable order (CORE-04)', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'countBooks',
      'takeStock',
      'showBook',
      'complain',
      'waitForEver',
    ]);
    expect(traffic.count('tools/list')).toBe(3);
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
  });

  it('gets every kind of content (CORE-06)', async () => {
    const { content } = await client.callTool({ name: 'showBook' });
    expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'audio', 'resource', 'resource_link']);
  });

  it('hears of progress before the result (PROG-01)', async () => {
    const heard: Progress[] = [];
    const call = { name: 'takeStock', arguments: { shelves: 3 } };
    await client.callTool(call, { onprogress: (progress) => heard.push(progress) });
    expect(heard).toEqual(
      [1, 2, 3].map((progress) => ({ progress, total: 3, message: `shelf ${progress}` })),
    );
  });

  it('reads text, bytes and what a template matches (CORE-03) (CORE-06)', async () => {
    const catalog = await client.readResource({ uri: 'book://catalog' });
    const cover = await client.readResource({ uri: 'book://cover' });
    const author = await client.readResource({ uri: 'author://grace' });
    expect(catalog.contents).toMatchObject([{ mimeType: 'application/json' }]);
    expect(cover.contents).toMatchObject([{ blob: COVER.toString('base64') }]);
    expect(author.contents).toMatchObject([{ uri: 'author://grace', text: 'Books by grace' }]);
  });

  it('gets a prompt and completes its argument (CORE-03)', async () => {
    const { messages } = await client.getPrompt({ name: 'review', arguments: { author: 'Alan' } });
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'review' },
      argument: { name: 'author', value: 'A' },
    });
    expect(messages).toMatchObject([{ role: 'user', content: { text: 'Review the books of Alan' } }]);
    expect(completion.values).toEqual(['Ada', 'Alan']);
  });

  it('gets the new list when a tool comes and goes (NOTE-03)', async () => {
    await until(() => isListening(client, traffic), 'an open stream');
    library.catalog.tools.add({ name: 'lend', description: 'Lends a book' }, () => 'Lent');
    await until(() => lists.at(-1)?.includes('lend'), 'the list with the tool');
    await expect(client.callTool({ name: 'lend' })).resolves.toMatchObject({ content: [{ text: 'Lent' }] });
    library.catalog.tools.remove('lend');
    await until(() => lists.at(-1)?.includes('lend') === false, 'the list without the tool');
  });

  it('is told of updates of the resource it subscribed to (NOTE-04)', async () => {
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    await until(() => isListening(client, traffic), 'an open stream');
    await subscribe(client, 'book://catalog');
    library.notifier.resourceUpdated('book://cover');
    library.notifier.resourceUpdated('book://catalog');
    await until(() => updated.length > 0, 'an update');
    expect(updated).toEqual(['book://catalog']);
  });

  it('aborts the handler of a call it cancels (CANC-01)', async () => {
    const stop = new AbortController();
    const call = client.callTool({ name: 'waitForEver' }, { signal: stop.signal });
    await until(() => library.tools.waiting === 1, 'the call');
    stop.abort('changed my mind');
    await expect(call).rejects.toThrow('changed my mind');
    await until(() => library.tools.aborted === 1, 'the abortion');
  });

  it('gets log entries from its level on (NOTE-05)', async () => {
    const entries: LoggingMessageNotification['params'][] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void entries.push(params));
    if (version === SESSION.version) await client.setLoggingLevel('warning');
    await client.callTool({
      name: 'complain',
      ...(version === STATELESS.version && { _meta: { 'io.modelcontextprotocol/logLevel': 'warning' } }),
    });
    expect(entries.map(({ level }) => level)).toEqual(['warning', 'error']);
  });
});

describe.each(ADAPTERS)('One path for both kinds of revision, on %s', (adapter: AdapterName) => {
  it('serves a client of each at the same time, and an undecided one with the newest (VER-01)', async () => {
    const library = await bootLibrary(adapter);
    const readers = await Promise.all([
      connect(library.url, SESSION.mode),
      connect(library.url, STATELESS.mode),
      connect(library.url, 'auto'),
    ]);
    const call = { name: 'countBooks', arguments: { author: 'Ada' } };
    const results = await Promise.all(readers.map(({ client }) => client.callTool(call)));
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
      readers.map(() => ({ author: 'Ada', books: 3 })),
    );
    expect(readers.map(({ client }) => client.getNegotiatedProtocolVersion())).toEqual([
      SESSION.version,
      STATELESS.version,
      STATELESS.version,
    ]);
    expect(library.notifier.sessions).toHaveLength(1);
    await Promise.all(readers.map(({ client }) => client.close()));
    await library.close();
  });
});

/** On the session wire the standing GET carries what changes, on the stateless one a subscription. */
function isListening(client: Client, traffic: Traffic): boolean {
  return client.autoOpenedSubscription !== undefined || traffic.hasStandingStream;
}

async function subscribe(client: Client, uri: string): Promise<void> {
  if (client.getProtocolEra() === 'legacy') await client.subscribeResource({ uri });
  else await client.listen({ resourceSubscriptions: [uri] });
}
