import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { App, type McpOptions } from 'nestjs-mcp';
import { bootApp, type RunningApp } from '../../../support/applications/boot.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { until } from '../../../support/until.js';
import { SHOWS_APPS } from './board.app.js';
import { PAGE, PageFolder } from './page-folder.js';

interface Given {
  readonly uri: string;
  readonly html: string;
}

@Injectable()
class Boards {
  @App({ file: 'board.html' })
  changed({ uri, html }: Given): string {
    return `${html}<!-- ${uri} -->`;
  }

  @App({ file: 'board.html' })
  async changedLater({ html }: Given): Promise<string> {
    return `${html}<!-- later -->`;
  }

  @App({ file: 'board.html' })
  plain(): void {}

  @App({ file: 'board.html' })
  async plainLater(): Promise<void> {}
}

describe('The method of an app with a page in a file', () => {
  const folder = new PageFolder();
  let server: RunningApp | undefined;

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  const boot = async (apps: McpOptions['apps'] = {}) => {
    folder.write('board.html');
    server = await bootApp(folder.buildParts([Boards], { apps }));
  };

  const read = async (name: string): Promise<unknown> => {
    const client = perRequest(server?.url ?? '', { capabilities: SHOWS_APPS });
    const { contents } = await client.start('resources/read', { uri: `ui://desk/${name}` }).result();
    return (contents as [{ text: string }])[0].text;
  };

  it('gets the page, and may give another one (XTN-02)', async () => {
    await boot();
    expect(await read('changed')).toBe(`${PAGE}<!-- ui://desk/changed -->`);
    expect(await read('changedLater')).toBe(`${PAGE}<!-- later -->`);
  });

  it('has the page read if it gives nothing (XTN-02)', async () => {
    await boot();
    expect([await read('plain'), await read('plainLater')]).toEqual([PAGE, PAGE]);
  });

  it('gets the page as it is now, each time that it has changed (XTN-02)', async () => {
    await boot({ watch: true });
    for (const page of ['<p>two</p>', '<p>three</p>']) {
      folder.write('board.html', page);
      await until(async () => (await read('changed')) === `${page}<!-- ui://desk/changed -->`, page);
      expect(await read('plain')).toBe(page);
    }
  });

  it.each([
    ['of the server', { limits: { resultBytes: 1024 } }, undefined],
    ['of its own', {}, 1024],
    ['of its own, whatever the server has', { limits: { resultBytes: 100_000 } }, 1024],
  ])('keeps the server from starting if the page is longer than the bound %s (XTN-02)', async (...given) => {
    const [, options, resultBytes] = given;
    folder.write('board.html', `<p>${'x'.repeat(1024 - '"<p>"'.length)}`);

    @Injectable()
    class Long {
      @App({ file: 'board.html', ...(resultBytes !== undefined && { resultBytes }) })
      long(): void {}
    }
    expect(await folder.fail([Long], options)).toContain('is too long for a response of 1024 bytes');
  });

  it('may have a bound of its own that is higher (XTN-02)', async () => {
    folder.write('board.html', `<p>${'x'.repeat(2000)}`);

    @Injectable()
    class Long {
      @App({ file: 'board.html', resultBytes: 4000 })
      long(): void {}
    }
    server = await bootApp(folder.buildParts([Long], { limits: { resultBytes: 1024 } }));
    expect(await read('long')).toHaveLength(2003);
  });
});
