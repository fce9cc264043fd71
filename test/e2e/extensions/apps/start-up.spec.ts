import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Resource, Tool, type AppOptions, type ToolOptions } from 'nestjs-mcp';
import { bootApp } from '../../../support/applications/boot.js';
import { appWith, PAGE, PageFolder, toolWith } from './page-folder.js';

const ON_TOOL = '@Tool() on "BoardTools.show": ';

const folder = new PageFolder();

describe('The start of a server with apps', () => {
  it.each<{ what: string; ui: NonNullable<ToolOptions['ui']>; says: string }>([
    { what: 'a file that is not there', ui: 'board.html', says: 'There is no file or folder "' },
    { what: 'a folder that is not there', ui: 'dist/board', says: 'There is no file or folder "' },
    {
      what: 'an app that nobody declares',
      ui: 'board',
      says: 'There is no app "board", and no file or folder "',
    },
    { what: 'a URI that nobody declares', ui: 'ui://desk/board', says: 'There is no app "ui://desk/board"' },
    { what: 'something without a page', ui: { csp: {} }, says: '"ui.resource" is required' },
    { what: 'an empty name', ui: '', says: '"ui" must be a path' },
    { what: 'a number', ui: 7 as never, says: '"ui" must be an object' },
    { what: 'a file of another machine', ui: 'file://elsewhere/board.html', says: '"ui" must be a path' },
    { what: 'a web page', ui: new URL('https://example.com'), says: '"ui" must be a path' },
    {
      what: 'an unknown member',
      ui: { resource: 'ui://desk/board', visibilty: ['app'] } as never,
      says: '"ui.visibilty" (did you mean "ui.visibility"?) is not a known option',
    },
    {
      what: 'nobody who may call it',
      ui: { visibility: [] },
      says: '"ui.visibility" must not be empty',
    },
    {
      what: 'an unknown caller',
      ui: { visibility: ['user' as never] },
      says: '"ui.visibility[0]" must be "model" or "app"',
    },
    {
      what: 'rights without a page',
      ui: { visibility: ['app'], csp: {} },
      says: '"ui.csp" applies to a page',
    },
  ])('fails at a tool with $what, and names it (XTN-02) (MOD-11)', async ({ ui, says }) => {
    expect(await folder.fail([toolWith(ui)])).toContain(ON_TOOL + says);
  });

  it.each([
    'api.example.com',
    'https://api.example.com/v1',
    '*',
    "'self'",
    'https://a.example.com https://b.example.com',
    'https://a.example.com;script-src',
    'ftp://files.example.com',
    'data:',
    'https://*',
    'https://api.*.com',
    '',
  ])('fails at the domain %j of a policy (XTN-02) (MOD-11)', async (domain) => {
    folder.write('board.html');
    const said = await folder.fail([
      toolWith({ resource: 'board.html', csp: { resourceDomains: [domain] } }),
    ]);
    expect(said).toContain(`${ON_TOOL}"ui.csp.resourceDomains[0]" is ${JSON.stringify(domain)}, but must`);
  });

  it('takes the domains that a policy can have (XTN-02)', async () => {
    folder.write('board.html');
    const csp = {
      connectDomains: [
        'https://api.example.com',
        'wss://live.example.com:8443',
        'http://localhost:*',
        'http://[::1]:3000',
      ],
      resourceDomains: ['https://*.example.com', 'https://cdn.example.com/'],
    };
    const server = await bootApp(folder.buildParts([toolWith({ resource: 'board.html', csp })]));
    await server.close();
    expect(
      await folder.fail([
        toolWith({ resource: 'board.html', csp: { frameDomains: ['wss://live.example.com'] } }),
      ]),
    ).toContain('must start with "https://" or "http://"');
  });

  it('fails at a folder without "index.html" (XTN-02)', async () => {
    folder.write('dist/main.js', 'console.log(1)');
    expect(await folder.fail([toolWith('dist')])).toContain(
      `The folder "${join(folder.path, 'dist')}" has no "index.html"`,
    );
    expect(await folder.fail([appWith({ directory: 'dist' })])).toContain(
      '@App() on "BoardApps.show": The folder "',
    );
  });

  it.each<{ what: string; options: AppOptions; says: string }>([
    { what: 'another scheme', options: { uri: 'https://desk/board' }, says: 'start it with "ui://"' },
    { what: 'two pages', options: { file: 'board.html', directory: '.' }, says: 'both name the page' },
    { what: 'a folder as a file', options: { file: '.' }, says: 'is a folder: use "directory"' },
    {
      what: 'a file as a folder',
      options: { directory: 'board.html' },
      says: 'is a file: use "file"',
    },
    { what: 'a script as a page', options: { file: 'main.js' }, says: 'is not an HTML file' },
    { what: 'a page without HTML', options: { file: 'empty.html' }, says: 'contains no HTML' },
    { what: 'a page in another encoding', options: { file: 'latin.html' }, says: 'is not UTF-8' },
    { what: 'a page that is not there', options: { file: 'bored.html' }, says: 'There is no file or folder' },
    {
      what: 'an unknown permission',
      options: { permissions: ['usb' as never] },
      says: '"permissions[0]" must be "camera"',
    },
    {
      what: 'an option of resources',
      options: { mimeType: 'text/html' } as never,
      says: '"mimeType" is not a known option',
    },
  ])('fails at an app with $what (XTN-02) (MOD-11)', async ({ options, says }) => {
    folder.write('board.html');
    folder.write('main.js', 'console.log(1)');
    folder.write('empty.html', 'nothing');
    folder.write('latin.html', Buffer.from('<p>caf\xe9</p>', 'latin1'));
    const said = await folder.fail([appWith(options)]);
    expect(said).toContain('@App() on "BoardApps.show": ');
    expect(said).toContain(says);
  });

  it('names the apps that there are, if a tool names another (XTN-02) (MOD-11)', async () => {
    @Injectable()
    class Pages {
      @Resource({ uri: 'ui://desk/map', mimeType: 'text/html;profile=mcp-app' })
      map() {
        return PAGE;
      }

      @Resource({ uri: 'desk://rules' })
      rules() {
        return 'Be kind';
      }
    }
    for (const ui of ['board', 'ui://desk/board']) {
      const said = await folder.fail([Pages, toolWith(ui)]);
      expect(said).toMatch(
        /There is no app .*: (declare it with @App\(\)|use the path of a file), or (use )?a known app \("ui:\/\/desk\/map"\)/,
      );
      expect(said).not.toContain('desk://rules');
    }
  });

  it('fails at a resource of an app with another media type (XTN-02)', async () => {
    @Injectable()
    class Pages {
      @Resource({ uri: 'ui://desk/board', mimeType: 'text/html' })
      board() {
        return PAGE;
      }
    }
    expect(await folder.fail([Pages])).toContain(
      'The option "mimeType" is "text/html", but hosts only show "text/html;profile=mcp-app"',
    );
  });

  it('fails at rights of a resource that is no app (XTN-02)', async () => {
    @Injectable()
    class Pages {
      @Resource({ uri: 'desk://board', ui: { prefersBorder: true } })
      board() {
        return PAGE;
      }
    }
    expect(await folder.fail([Pages])).toContain(
      'The option "ui" is only for apps, but "desk://board" is not an app URI',
    );
  });

  it('fails at two tools that declare the same page in two ways, in either order (XTN-02)', async () => {
    folder.write('board.html');
    const first = toolWith({ resource: 'board.html', csp: { connectDomains: ['https://a.example.com'] } });
    class Other {
      @Tool({
        name: 'other',
        ui: { resource: 'board.html', csp: { connectDomains: ['https://b.example.com'] } },
      })
      show() {}
    }
    Injectable()(Other);
    expect(await folder.fail([first, Other])).toContain(
      'The app "ui://desk/board.html" is declared with a different "csp" elsewhere',
    );
    expect(await folder.fail([Other, first])).toContain('is declared with a different "csp" elsewhere');
  });
});
