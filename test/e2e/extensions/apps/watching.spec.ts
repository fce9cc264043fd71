import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpCatalog, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { until } from '../../../support/until.js';
import { bootApps, SHOWS_APPS } from './board.app.js';

const URI = 'ui://desk/board';

@Injectable()
class Board {
  @Tool({ ui: 'board' })
  show() {}
}

describe.each(ADAPTERS)('The folder of a page that is watched, on %s', (adapter) => {
  const log = new RecordedLog();
  let root: string;
  let server: RunningApp;

  const at = (...names: string[]) => join(root, ...names);

  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };

  const build = (folder: string, text: string) => {
    write(join(folder, 'assets/app.js'), `document.title = "${text}"`);
    write(join(folder, 'index.html'), '<!doctype html><script src="assets/app.js"></script>');
  };

  const boot = async (directory: string) => {
    log.clear();
    server = await bootApps(adapter, {
      providers: [Board],
      options: { apps: { directory: at(directory), watch: true } },
      nest: { logger: log },
    });
  };

  const shows = (text: string) =>
    until(async () => {
      const client = perRequest(server.url, { capabilities: SHOWS_APPS });
      const { contents } = await client.start('resources/read', { uri: URI }).result();
      return (contents as [{ text: string }])[0].text.includes(`"${text}"`);
    }, `the page "${text}"`);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'apps-'));
  });

  afterEach(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });

  it('is watched still after it was removed and made again (XTN-02)', async () => {
    build('dist/board', 'one');
    await boot('dist');
    for (const text of ['two', 'three']) {
      rmSync(at('dist'), { recursive: true });
      build('dist/board', text);
      expect(await shows(text)).toBe(true);
    }
    write('dist/board/assets/app.js', '"four"');
    expect(await shows('four')).toBe(true);
  });

  it('is watched again once it is there again (XTN-02)', async () => {
    build('dist/board', 'one');
    await boot('dist');
    rmSync(at('dist'), { recursive: true });
    await until(() => log.find('warn', `The app "${URI}" was not updated: `).length > 0, 'a warning');
    expect(await shows('one')).toBe(true);
    mkdirSync(at('dist'));
    build('dist/board', 'two');
    expect(await shows('two')).toBe(true);
  });

  it('is watched still after another one was put in its place (XTN-02)', async () => {
    build('dist/board', 'one');
    await boot('dist');
    build('next/board', 'two');
    renameSync(at('dist'), at('before'));
    renameSync(at('next'), at('dist'));
    expect(await shows('two')).toBe(true);
    write('dist/board/assets/app.js', '"three"');
    expect(await shows('three')).toBe(true);
  });

  it('is watched where a link leads now (XTN-02)', async () => {
    build('releases/1/board', 'one');
    symlinkSync(at('releases/1'), at('current'));
    await boot('current');
    build('releases/2/board', 'two');
    symlinkSync(at('releases/2'), at('next'));
    renameSync(at('next'), at('current'));
    expect(await shows('two')).toBe(true);
    write('releases/2/board/assets/app.js', '"three"');
    expect(await shows('three')).toBe(true);
  });

  it('may get a folder later that the page loads from (XTN-02)', async () => {
    build('dist/board', 'one');
    await boot('dist');
    write('dist/board/index.html', '<!doctype html><script src="later/app.js"></script>');
    await until(() => log.text.includes('later/app.js'), 'a warning');
    mkdirSync(at('dist/board/later'));
    cpSync(at('dist/board/assets/app.js'), at('dist/board/later/app.js'));
    expect(await shows('one')).toBe(true);
    write('dist/board/later/app.js', '"two"');
    expect(await shows('two')).toBe(true);
  });

  it('has a page that stays as it was when its tools change meanwhile (XTN-02)', async () => {
    build('dist/board', 'one');
    await boot('dist');
    write('dist/board/index.html', '<!doctype html><script src="https://cdn.example.com/x.js"></script>');
    await until(() => log.find('warn', `The app "${URI}" was not updated: `).length > 0, 'a warning');
    const { tools } = server.app.get(McpCatalog);
    tools.add({ name: 'look', ui: 'board', visible: () => true }, () => '');
    expect(await shows('one')).toBe(true);
  });
});
