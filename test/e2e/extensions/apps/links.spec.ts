import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import {
  App,
  McpCatalog,
  McpNotifier,
  RequireScope,
  Tool,
  type McpOptions,
  type ToolOptions,
} from 'nestjs-mcp';
import { bootApp, type RunningApp } from '../../../support/applications/boot.js';
import { authorize, CALLERS, PUBLISHED } from '../../../support/applications/protected-desk.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { until } from '../../../support/until.js';
import { find, namesOf, SHOWS_APPS } from './board.app.js';
import { appWith, PageFolder, toolWith } from './page-folder.js';

const folder = new PageFolder();

let server: RunningApp | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

const boot = async (providers: readonly Type[], options: Partial<McpOptions> = {}) => {
  server = await bootApp(folder.buildParts(providers, options));
  return server.app.get(McpCatalog);
};

const ask = (method: string, params: JsonObject = {}, capabilities: JsonObject = SHOWS_APPS) =>
  perRequest(server?.url ?? '', { capabilities })
    .start(method, params)
    .result();

const listResources = async () =>
  ((await ask('resources/list'))['resources'] as JsonObject[]).map(({ uri }) => uri);

const isDeclared = async () =>
  JSON.stringify(await ask('server/discover')).includes('modelcontextprotocol/ui');

describe('The URI of a page that a tool names by its path', () => {
  it.each([
    ['a file', 'board.html', 'board.html', 'board.html'],
    ['a file in a folder', 'pages/board.html', 'pages/board.html', 'pages/board.html'],
    ['a folder', 'dist/board/index.html', 'dist/board', 'dist/board'],
    ['a folder whose name begins with dots', '..dist/board.html', '..dist/board.html', '..dist/board.html'],
    ['an absolute path', 'board.html', '/board.html', 'board.html'],
  ])('is that of %s below the folder of apps (XTN-02)', async (_what, file, ui, name) => {
    folder.write(file);
    await boot([toolWith(ui.startsWith('/') ? `${folder.path}${ui}` : ui)]);
    expect(await listResources()).toEqual([`ui://desk/${name}`]);
  });

  it.each([
    ['the folder of apps itself', 'index.html', '.', undefined],
    ['a file elsewhere', 'board.html', '../board.html', 'board.html'],
    ['a page of a folder elsewhere', 'dist/index.html', '../dist/index.html', 'dist/index.html'],
    ['a folder elsewhere', 'dist/index.html', '../dist', 'dist'],
  ])('is the name of %s (XTN-02)', async (_what, file, ui, name) => {
    const directory = ui === '.' ? folder.path : `${folder.path}/apps`;
    folder.write(file);
    await boot([toolWith(ui)], { apps: { directory } });
    const expected = name ?? folder.path.split('/').at(-1);
    expect(await listResources()).toEqual([`ui://desk/${expected}`]);
  });

  it('must not be that of another page: the start fails and names both (XTN-02) (MOD-11)', async () => {
    const [one, two] = [folder.write('one/board.html'), folder.write('two/board.html')];
    const apps = { directory: `${folder.path}/apps` };
    class Other {
      @Tool({ name: 'other', ui: two })
      show() {}
    }
    Injectable()(Other);
    expect(await folder.fail([toolWith(one), Other], { apps })).toContain(
      `"${two}" and "${one}" would both have the URI "ui://desk/board.html"`,
    );
    const app = appWith({ uri: 'ui://desk/board.html' });
    expect(await folder.fail([app, toolWith(one)], { apps })).toContain(
      `"${one}" and "show" would both have the URI "ui://desk/board.html"`,
    );
  });
});

describe('The app that a tool names', () => {
  it('is named among none if there are none (XTN-02) (MOD-11)', async () => {
    expect(await folder.fail([toolWith('board')])).toContain(
      'use the path of a file, or a known app (none yet)',
    );
  });

  it('may be described twice in the same way, by tools and by @App() (XTN-02)', async () => {
    const policy = { csp: { connectDomains: ['https://a.example.com'] } };
    folder.write('board.html');
    class Other {
      @Tool({ name: 'other', ui: { resource: 'board.html', ...policy } })
      show() {}

      @App({ file: 'board.html', uri: 'ui://desk/board', ...policy })
      board() {}
    }
    Injectable()(Other);
    await boot([toolWith({ resource: 'board.html', ...policy }), Other]);
    expect(await ask('resources/list')).toMatchObject({
      resources: [{ uri: 'ui://desk/board', _meta: { ui: policy } }],
    });
  });

  it('is described by @App() alone, if there is one (XTN-02) (MOD-11)', async () => {
    folder.write('board.html');
    const tool = toolWith({ resource: 'board.html', prefersBorder: true });
    expect(await folder.fail([appWith({ file: 'board.html' }), tool])).toContain(
      'is declared with a different "prefersBorder" elsewhere: declare it only once',
    );
  });

  it('is for whoever may call its tools, also if one of them describes it later (XTN-02)', async () => {
    folder.write('board.html');

    @Injectable()
    class Boards {
      @RequireScope('desk:write')
      @Tool({ ui: 'board.html' })
      edit() {}

      @RequireScope('desk:write')
      @Tool({ ui: { resource: 'board.html', prefersBorder: true } })
      close() {}
    }
    await boot([Boards], { auth: { bearer: Object.values(CALLERS), ...PUBLISHED } });
    const read = (token: string) =>
      perRequest(server?.url ?? '', { capabilities: SHOWS_APPS, headers: authorize(token) }).request(
        'resources/read',
        { uri: 'ui://desk/board.html' },
      );
    const { result } = await read(CALLERS.ada.token);
    expect(result).toMatchObject({ contents: [{ _meta: { ui: { prefersBorder: true } } }] });
    expect((await read(CALLERS.bob.token)).status).toBe(403);
  });
});

describe('The metadata of the wire that a tool has', () => {
  const boards: Record<string, ToolOptions['_meta']> = {
    linked: { ui: { resourceUri: 'ui://desk/board' } },
    own: { ui: { visibility: ['app'] } },
    both: { ui: { visibility: ['model', 'app'] } },
    odd: { ui: { resourceUri: 7, visibility: ['nobody'] } },
    mixed: { ui: { resourceUri: 'ui://desk/board', visibility: 'app' } },
    text: { ui: 'ui://desk/board' },
  };

  it('links it with an app as far as it is what the specification says (XTN-02)', async () => {
    const { tools } = await boot([appWith({ uri: 'ui://desk/board', file: folder.write('board.html') })]);
    for (const [name, _meta] of Object.entries(boards)) tools.add({ name, _meta: _meta ?? {} }, () => '');
    const shown = await ask('tools/list');
    expect(namesOf(shown, 'tools')).toEqual(Object.keys(boards));
    expect(find(shown, 'tools', 'linked')?.['_meta']).toEqual({
      ui: { resourceUri: 'ui://desk/board' },
      'ui/resourceUri': 'ui://desk/board',
    });
    expect(find(shown, 'tools', 'mixed')?.['_meta']).toMatchObject({ 'ui/resourceUri': 'ui://desk/board' });
    for (const name of ['own', 'both', 'odd', 'text']) {
      expect(find(shown, 'tools', name)?.['_meta']).not.toHaveProperty('ui/resourceUri');
    }
    const plain = await ask('tools/list', {}, {});
    expect(namesOf(plain, 'tools')).toEqual(Object.keys(boards).filter((name) => name !== 'own'));
  });
});

describe('What is added while a server runs', () => {
  it.each<[string, (catalog: McpCatalog) => void]>([
    ['a tool', ({ tools }) => tools.add({ name: 'a', ui: 'board.html' }, () => '')],
    ['a tool for apps', ({ tools }) => tools.add({ name: 'a', ui: { visibility: ['app'] } }, () => '')],
    ['a page', ({ resources }) => resources.add({ uri: 'ui://desk/a', name: 'a' }, () => '<p>')],
    [
      'a template of pages',
      (catalog) => catalog.resourceTemplates.add({ uriTemplate: 'ui://desk/{id}', name: 'a' }, () => '<p>'),
    ],
  ])('declares apps if it is %s (XTN-02)', async (_what, add) => {
    folder.write('board.html');
    const catalog = await boot([]);
    catalog.tools.add({ name: 'plain' }, () => '');
    catalog.resources.add({ uri: 'desk://plain', name: 'plain' }, () => '');
    catalog.resourceTemplates.add({ uriTemplate: 'desk://plain/{id}', name: 'plain' }, () => '');
    expect(await isDeclared()).toBe(false);
    add(catalog);
    expect(await isDeclared()).toBe(true);
  });

  it('is refused with the reason, whether the page is missing or would be blocked (XTN-02) (MOD-06)', async () => {
    const { tools, resources } = await boot([]);
    folder.write('blocked.html', '<script src="https://cdn.example.com/x.js"></script>');
    const blocked = 'The app "ui://desk/blocked.html" loads "https://cdn.example.com/x.js"';
    expect(() => tools.add({ name: 'a', ui: 'blocked.html' }, () => '')).toThrow(
      expect.objectContaining({ message: expect.stringMatching(`^${blocked}`) }),
    );
    const ui = { file: 'blocked.html' };
    expect(() => resources.add({ uri: 'ui://desk/blocked.html', name: 'a', ui }, () => '')).toThrow(blocked);
    expect(() => tools.add({ name: 'a', ui: 'none.html' }, () => '')).toThrow(
      'The tool "a" cannot be listed: There is no file or folder',
    );
    expect([await listResources(), namesOf(await ask('tools/list'), 'tools')]).toEqual([[], []]);
  });

  it('is taken once its page is mended, whatever was wrong with it (XTN-02) (MOD-06)', async () => {
    const { tools } = await boot([], { limits: { resultBytes: 1024 } });
    const add = () => tools.add({ name: 'a', ui: 'board.html' }, () => '');
    for (const wrong of ['<script src="https://cdn.example.com/x.js"></script>', `<p>${'x'.repeat(1024)}`]) {
      folder.write('board.html', wrong);
      expect(add).toThrow('board.html');
    }
    folder.write('board.html', '<p>mended</p>');
    add();
    const { contents } = await ask('resources/read', { uri: 'ui://desk/board.html' });
    expect(contents).toMatchObject([{ text: '<p>mended</p>' }]);
  });

  it('may be a page of its own, once that of a tool is removed, and the tool (XTN-02) (MOD-06)', async () => {
    folder.write('board.html');
    const { tools, resources } = await boot([]);
    tools.add({ name: 'a', ui: 'board.html' }, () => '');
    expect(resources.remove('ui://desk/board.html')).toBe(true);
    tools.remove('a');
    expect(await listResources()).toEqual([]);
    resources.add({ uri: 'ui://desk/board.html', name: 'own' }, () => '<p>own</p>');
    tools.add({ name: 'b' }, () => '');
    const { contents } = await ask('resources/read', { uri: 'ui://desk/board.html' });
    expect(contents).toMatchObject([{ text: '<p>own</p>' }]);
  });

  it('tells clients of another list of resources only if others may read a page (XTN-02) (NOTE-01)', async () => {
    folder.write('board.html');
    const { tools } = await boot([]);
    tools.add({ name: 'a', ui: 'board.html' }, () => '');
    const session = await initialize(server?.url ?? '', { capabilities: SHOWS_APPS });
    const stream = await session.openStream();
    const count = (list: string) =>
      stream.messages.filter(({ method }) => method === `notifications/${list}/list_changed`).length;
    tools.update('a', { description: 'Shows the board' });
    await until(() => count('tools') === 1, 'the description');
    tools.update('a', { ui: 'board.html', isPublic: true });
    await until(() => count('tools') === 2 && count('resources') > 0, 'who may call it');
    tools.update('a', { ui: 'board.html', visible: () => true });
    await until(() => count('tools') === 3 && count('resources') > 1, 'who sees it');
    tools.add({ name: 'b', ui: 'board.html' }, () => '');
    await until(() => count('tools') === 4 && count('resources') > 2, 'the other tool');
    server?.app.get(McpNotifier).log('error', 'the end');
    await stream.nextNotification('notifications/message');
    expect(count('resources')).toBe(3);
  });
});
