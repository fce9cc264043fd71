import { afterEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { textOf } from '../../../support/applications/protected-desk.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { APP_TYPE, bootApps, CHART, find, namesOf, SHOWS_APPS, WIRES } from './board.app.js';

const BOARD = 'ui://desk/board.html';

const CASES = ADAPTERS.flatMap((adapter) => WIRES.map((wire) => ({ adapter, ...wire })));

let server: RunningApp;

afterEach(() => server.close());

describe.each(CASES)('Apps (SEP-1865) in $wire on $adapter', ({ adapter, connect }) => {
  const boot = async (capabilities: JsonObject) => {
    server = await bootApps(adapter);
    return connect(server.url, capabilities);
  };

  it('tells a client that shows apps of the app of a tool, by both keys (XTN-02)', async () => {
    const ask = await boot(SHOWS_APPS);
    const tools = await ask('tools/list');
    expect(find(tools, 'tools', 'show')?.['_meta']).toEqual({
      ui: { resourceUri: BOARD },
      'ui/resourceUri': BOARD,
    });
    expect(find(tools, 'tools', 'close')?.['_meta']).toEqual({
      ui: { resourceUri: BOARD, visibility: ['app'] },
      'ui/resourceUri': BOARD,
    });
    expect(find(tools, 'tools', 'plain')).not.toHaveProperty('_meta');
  });

  it('gives the page of a file with what lies beside it, in the media type of apps (XTN-02)', async () => {
    const ask = await boot(SHOWS_APPS);
    const { contents } = await ask('resources/read', { uri: BOARD });
    expect(contents).toEqual([
      {
        uri: BOARD,
        mimeType: APP_TYPE,
        text: expect.stringMatching(/<style>body \{\s+font: 1rem sans-serif;\s+\}\s+<\/style>/),
        _meta: { ui: { prefersBorder: true } },
      },
    ]);
  });

  it('gives the folder of a bundler as one page (XTN-02)', async () => {
    const ask = await boot(SHOWS_APPS);
    const { contents } = await ask('resources/read', { uri: 'ui://desk/panel' });
    const [{ text }] = contents as [{ text: string }];
    expect(text).toContain('<script type="module">const end = \'<\\/script>\';');
    expect(text).toMatch(/<style>body \{\s+background: url\("data:image\/png;base64,[A-Za-z0-9+/=]+"\)/);
    expect(text).toMatch(/<img alt="" src="data:image\/png;base64,/);
    expect(text).not.toMatch(/assets|icon\.svg/);
  });

  it('gives the page that a method makes, and says in lists and reads what is declared of it (XTN-02)', async () => {
    const ask = await boot(SHOWS_APPS);
    const ui = {
      csp: { connectDomains: ['https://api.example.com'] },
      permissions: { clipboardWrite: {} },
      prefersBorder: false,
    };
    const listed = find(await ask('resources/list'), 'resources', 'chart');
    expect(listed).toMatchObject({
      uri: 'ui://desk/chart',
      title: 'Chart',
      mimeType: APP_TYPE,
      _meta: { ui },
    });
    const { contents } = await ask('resources/read', { uri: 'ui://desk/chart' });
    expect(contents).toEqual([{ uri: 'ui://desk/chart', mimeType: APP_TYPE, text: CHART, _meta: { ui } }]);
  });

  it('shows the tools of apps as plain ones to a client that shows none, and nothing that apps alone can use (XTN-02)', async () => {
    const ask = await boot({});
    const tools = await ask('tools/list');
    expect(namesOf(tools, 'tools')).toEqual(['show', 'panel', 'draw', 'plain']);
    expect(tools['tools']).not.toContainEqual(expect.objectContaining({ _meta: expect.anything() }));
    expect(await ask('resources/list')).toMatchObject({ resources: [] });
  });

  it.each([
    { declared: 'no types', ui: {} },
    { declared: 'other types', ui: { mimeTypes: ['text/html'] } },
    { declared: 'what is no list of types', ui: { mimeTypes: APP_TYPE } },
  ])('takes a client that declares $declared for one that shows no apps (XTN-02)', async ({ ui }) => {
    const ask = await boot({ extensions: { 'io.modelcontextprotocol/ui': ui } });
    expect(namesOf(await ask('tools/list'), 'tools')).not.toContain('close');
  });

  it('takes a type however it is written (XTN-02)', async () => {
    const mimeTypes = ['application/pdf', 'Text/HTML; profile="mcp-app"'];
    const ask = await boot({ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes } } });
    expect(namesOf(await ask('tools/list'), 'tools')).toContain('close');
  });

  it('has a text for everybody: the structured content, or that an app shows the result (XTN-02)', async () => {
    const ask = await boot(SHOWS_APPS);
    const shown = await ask('tools/call', { name: 'show' });
    expect(JSON.parse(textOf(shown))).toEqual({ tickets: [{ id: 1, title: 'The printer is on fire' }] });
    const empty = await ask('tools/call', { name: 'panel' });
    expect(textOf(empty)).toBe('"Open the panel" is shown to the user as an app');
    const other = await connect(server.url, {});
    expect(textOf(await other('tools/call', { name: 'panel' }))).toBe(
      '"Open the panel" is done; its result is an app, which this client cannot show',
    );
  });

  it('lets the host call for an app what the model does not see (XTN-02)', async () => {
    const ask = await boot(SHOWS_APPS);
    expect(textOf(await ask('tools/call', { name: 'close' }))).toBe('Ticket 1 is closed');
  });
});

describe.each(ADAPTERS)('Apps for clients that show none, on %s', (adapter) => {
  it('has no tool that apps alone may call (XTN-02)', async () => {
    server = await bootApps(adapter);
    for (const client of [perRequest(server.url), await initialize(server.url)]) {
      const { error } = await client.request('tools/call', { name: 'close' });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('unknown tool "close"') });
      expect((await client.request('tools/call', { name: 'plain' })).result).toBeDefined();
    }
  });

  it.each(['2024-11-05', '2025-03-26'])(
    'tells nobody in %s, whose tools have nowhere to say it (XTN-02) (VER-03)',
    async (version) => {
      server = await bootApps(adapter);
      const session = await initialize(server.url, { version, capabilities: SHOWS_APPS });
      const { result = {} } = await session.request('tools/list');
      expect(namesOf(result, 'tools')).toEqual(['show', 'panel', 'draw', 'plain']);
      expect(JSON.stringify(result)).not.toContain('ui://');
    },
  );

  it('tells everybody if "apps.showToAll" says so (XTN-02)', async () => {
    server = await bootApps(adapter, { options: { apps: { showToAll: true } } });
    const tools = await perRequest(server.url).start('tools/list').result();
    expect(find(tools, 'tools', 'show')?.['_meta']).toMatchObject({ ui: { resourceUri: BOARD } });
  });

  it('tells a client of which a server without sessions knows nothing (XTN-02)', async () => {
    server = await bootApps(adapter, { options: { stateless: true } });
    const session = await initialize(server.url, { capabilities: SHOWS_APPS });
    const tools = await session.start('tools/list').result();
    expect(find(tools, 'tools', 'show')?.['_meta']).toMatchObject({ ui: { resourceUri: BOARD } });
  });
});

describe.each(ADAPTERS)('The declaration of apps, on %s', (adapter) => {
  const ID = 'io.modelcontextprotocol/ui';

  it('is there by itself if a tool has an app (XTN-02)', async () => {
    server = await bootApps(adapter);
    const discovered = await perRequest(server.url).start('server/discover').result();
    expect(discovered).toMatchObject({ capabilities: { extensions: { [ID]: {} } } });
    const { result } = await initialize(server.url);
    expect(result).toMatchObject({ capabilities: { extensions: { [ID]: {} } } });
  });

  it('is not there without apps, and lists stay what everybody may keep (XTN-02)', async () => {
    const cache = { tools: { ttlMs: 60_000, scope: 'public' } } as const;
    server = await bootApps(adapter, { providers: [], options: { cache } });
    const client = perRequest(server.url, { capabilities: SHOWS_APPS });
    const discovered = await client.start('server/discover').result();
    expect(JSON.stringify(discovered)).not.toContain(ID);
    expect(await client.start('tools/list').result()).toMatchObject({ cacheScope: 'public' });
  });

  it('makes a list that depends on it the client’s own (XTN-02)', async () => {
    const cache = { tools: { ttlMs: 60_000, scope: 'public' } } as const;
    server = await bootApps(adapter, { options: { cache } });
    for (const capabilities of [SHOWS_APPS, {}]) {
      const list = await perRequest(server.url, { capabilities }).start('tools/list').result();
      expect(list).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
    }
  });
});
