import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { App, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp } from '../../../support/applications/boot.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { find, SHOWS_APPS } from './board.app.js';
import { PAGE, PageFolder, toolWith } from './page-folder.js';

const folder = new PageFolder();

describe('The start of a server with the page of an app', () => {
  it('fails at a page that is longer than "limits.resourceBytes", or than an answer may be (XTN-02)', async () => {
    folder.write('board.html', PAGE + 'x'.repeat(2000));
    expect(await folder.fail([toolWith('board.html')], { limits: { resourceBytes: 2000 } })).toContain(
      'is longer than 2000 bytes: raise "limits.resourceBytes"',
    );
    folder.write('small.html', '<script src="large.js"></script>');
    folder.write('large.js', '/'.repeat(1990));
    expect(await folder.fail([toolWith('small.html')], { limits: { resourceBytes: 2000 } })).toContain(
      'is longer than 2000 bytes including the files that it loads',
    );
    expect(await folder.fail([toolWith('board.html')], { limits: { resultBytes: 1024 } })).toContain(
      'too long for a response',
    );
  });

  it.each([
    {
      what: 'a script that is not there',
      page: '<script src="./main.js"></script>',
      says: 'there is no file',
    },
    { what: 'a file outside', page: '<img src="../logo.png">', says: 'is outside its folder' },
    {
      what: 'a style that imports another',
      page: '<style>@import "./base.css";</style>',
      says: 'imports "./base.css"',
    },
    {
      what: 'a script that imports another',
      page: '<script type="module" src="app.js"></script>',
      says: 'which imports "./chunk.js": configure the bundler to combine the scripts',
    },
  ])('fails at a page that loads $what (XTN-02)', async ({ page, says }) => {
    folder.write('board.html', page);
    folder.write('app.js', 'import { x } from "./chunk.js"; console.log(x);');
    folder.write('chunk.js', 'export const x = 1;');
    expect(await folder.fail([toolWith('board.html')])).toContain(says);
  });

  it.each([
    {
      what: 'a script',
      page: '<script src="https://cdn.example.com/x.js"></script>',
      fix: '"https://cdn.example.com" to "csp.resourceDomains"',
    },
    {
      what: 'a style',
      page: '<link rel=stylesheet href="//cdn.example.com/x.css">',
      fix: '"https://cdn.example.com" to "csp.resourceDomains"',
    },
    {
      what: 'an image',
      page: '<img src="https://img.example.com/x.png">',
      fix: '"https://img.example.com" to "csp.resourceDomains"',
    },
    {
      what: 'a frame',
      page: '<iframe src="https://video.example.com/7"></iframe>',
      fix: '"https://video.example.com" to "csp.frameDomains"',
    },
    {
      what: 'a base',
      page: '<base href="https://base.example.com/">',
      fix: '"https://base.example.com" to "csp.baseUriDomains"',
    },
    {
      what: 'a font',
      page: '<style>@font-face { font-family: x; src: url("https://fonts.example.com/x.woff2"); }</style>',
      fix: '"https://fonts.example.com" to "csp.resourceDomains"',
    },
  ])(
    'fails at a page that loads $what from where no host lets it, and says what to add (XTN-02)',
    async ({ page, fix }) => {
      folder.write('board.html', `<!doctype html>${page}`);
      const said = await folder.fail([toolWith('board.html')]);
      expect(said).toContain('The app "ui://desk/board.html" loads "');
      expect(said).toContain(`which hosts block: add ${fix}`);
    },
  );
});

describe.each(ADAPTERS)('A page of an app, on %s', (adapter) => {
  it('has every image in it that lies beside it (XTN-02)', async () => {
    folder.write('small.png', 'small');
    folder.write('large.png', 'large');
    folder.write(
      'board.html',
      '<!doctype html><img src="small.png" srcset="small.png 1x, large.png 2x"><picture><source srcset="large.png"></picture>' +
        '<svg><image href="small.png"/></svg><img srcset="large.png, small.png">',
    );
    const server = await bootApp({ ...folder.buildParts([toolWith('board.html')]), adapter });
    const client = perRequest(server.url, { capabilities: SHOWS_APPS });
    const { contents } = await client.start('resources/read', { uri: 'ui://desk/board.html' }).result();
    await server.close();
    const [small, large] = ['small', 'large'].map((text) => `data:image/png;base64,${btoa(text)}`);
    expect(contents).toMatchObject([
      {
        text:
          `<!doctype html><img src="${small}" srcset="${small} 1x, ${large} 2x"><picture><source srcset="${large}"></picture>` +
          `<svg><image href="${small}"/></svg><img srcset="${large}, ${small}">`,
      },
    ]);
  });

  it('is the same app for whoever names it: by a path, a URL or @App() (XTN-02)', async () => {
    const path = folder.write('board.html');
    class Other {
      @Tool({ name: 'other', ui: pathToFileURL(path) })
      show() {}

      @App({ uri: 'ui://desk/the-board', file: 'board.html' })
      board() {}
    }
    Injectable()(Other);
    const server = await bootApp({ ...folder.buildParts([toolWith('board.html'), Other]), adapter });
    const client = perRequest(server.url, { capabilities: SHOWS_APPS });
    const tools = await client.start('tools/list').result();
    for (const name of ['show', 'other']) {
      expect(find(tools, 'tools', name)?.['_meta']).toMatchObject({
        ui: { resourceUri: 'ui://desk/the-board' },
      });
    }
    expect(await client.start('resources/list').result()).toMatchObject({ resources: [{ name: 'board' }] });
    expect(await client.start('resources/read', { uri: 'ui://desk/the-board' }).result()).toMatchObject({
      contents: [{ text: PAGE }],
    });
    await server.close();
  });

  it('is that of the app of a name, rather than of a folder that is called so (XTN-02)', async () => {
    folder.write('chart/index.html');
    class Charts {
      @Tool({ ui: 'chart' })
      draw() {}

      @App()
      chart() {
        return '<!doctype html><p>Chart</p>';
      }
    }
    Injectable()(Charts);
    const server = await bootApp({ ...folder.buildParts([Charts]), adapter });
    const client = perRequest(server.url, { capabilities: SHOWS_APPS });
    expect(await client.start('resources/read', { uri: 'ui://desk/chart' }).result()).toMatchObject({
      contents: [{ text: '<!doctype html><p>Chart</p>' }],
    });
    await server.close();
  });
});
