import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpCatalog, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { until } from '../../../support/until.js';
import { APP_TYPE, bootApps, CHART, find, SHOWS_APPS } from './board.app.js';

const page = (text: string) => `<!doctype html><p>${text}</p>`;

let folder: string;
let server: RunningApp;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'apps-'));
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

@Injectable()
class Board {
  @Tool({ ui: 'board.html' })
  show() {}
}

describe.each(ADAPTERS)('Apps that change while the server runs, on %s', (adapter) => {
  const URI = 'ui://desk/board.html';
  const log = new RecordedLog();

  const boot = async (watch: boolean, providers = [Board]) => {
    log.clear();
    server = await bootApps(adapter, {
      providers,
      options: { apps: { directory: folder, watch } },
      nest: { logger: log },
    });
    return perRequest(server.url, { capabilities: SHOWS_APPS });
  };

  const write = (text: string) => writeFileSync(join(folder, 'board.html'), text);

  const readText = async () => {
    const client = perRequest(server.url, { capabilities: SHOWS_APPS });
    const { contents } = await client.start('resources/read', { uri: URI }).result();
    return (contents as [{ text: string }])[0].text;
  };

  it('are read again in development, and whoever subscribed is told (XTN-02)', async () => {
    write(page('one'));
    await boot(true);
    const session = await initialize(server.url, { capabilities: SHOWS_APPS });
    const stream = await session.openStream();
    await session.start('resources/subscribe', { uri: URI }).result();
    write(page('two'));
    const told = () => stream.messages.map(({ method }) => method);
    await until(() => told().includes('notifications/resources/updated'), 'an update');
    expect(await readText()).toBe(page('two'));
    expect(stream.messages).toContainEqual(expect.objectContaining({ params: { uri: URI } }));
  });

  it('stay as they were while a page cannot be shown, and the log says why (XTN-02)', async () => {
    write(page('one'));
    await boot(true);
    write('<!doctype html><script src="https://cdn.example.com/x.js"></script>');
    await until(() => log.find('warn', `The app "${URI}" was not updated: `).length > 0, 'a warning');
    expect(await readText()).toBe(page('one'));
    write(page('three'));
    await until(async () => (await readText()) === page('three'), 'the third page');
  });

  it('are read once otherwise (XTN-02)', async () => {
    write(page('one'));
    await boot(false);
    write(page('two'));
    expect(await readText()).toBe(page('one'));
  });

  it('are added with their tools, declared then, and refused by name (XTN-02) (MOD-06)', async () => {
    write(page('one'));
    const client = await boot(false, []);
    const { tools, resources } = server.app.get(McpCatalog);
    expect(() => tools.add({ name: 'chart', ui: 'ui://desk/chart' }, () => '')).toThrow(
      'The tool "chart" cannot be listed: There is no app "ui://desk/chart"',
    );
    resources.add({ uri: 'ui://desk/chart', name: 'chart', ui: { prefersBorder: true } }, () => CHART);
    tools.add({ name: 'chart', ui: 'ui://desk/chart' }, () => '');
    tools.add({ name: 'board', ui: 'board.html' }, () => '');
    const listed = await client.start('tools/list').result();
    expect(find(listed, 'tools', 'board')?.['_meta']).toMatchObject({ ui: { resourceUri: URI } });
    expect(await readText()).toBe(page('one'));
    const { contents } = await client.start('resources/read', { uri: 'ui://desk/chart' }).result();
    expect(contents).toEqual([
      { uri: 'ui://desk/chart', mimeType: APP_TYPE, text: CHART, _meta: { ui: { prefersBorder: true } } },
    ]);
    const { capabilities } = await client.start('server/discover').result();
    expect(capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/ui': {} } });
    tools.update('board', { description: 'Shows the board', ui: { visibility: ['app'] } });
    const changed = await client.start('tools/list').result();
    expect(find(changed, 'tools', 'board')?.['_meta']).toEqual({ ui: { visibility: ['app'] } });
  });

  it('are those of a template too, which is for clients that show apps (XTN-02)', async () => {
    write(page('one'));
    const client = await boot(false, []);
    const { tools, resourceTemplates } = server.app.get(McpCatalog);
    const ui = { csp: { connectDomains: ['https://api.example.com'] } };
    resourceTemplates.add({ uriTemplate: 'ui://desk/charts/{id}', name: 'charts', ui }, () => CHART);
    tools.add({ name: 'chart', ui: 'ui://desk/charts/7' }, () => '');
    const uri = 'ui://desk/charts/7';
    const { contents } = await client.start('resources/read', { uri }).result();
    expect(contents).toEqual([{ uri, mimeType: APP_TYPE, text: CHART, _meta: { ui } }]);
    const list = 'resources/templates/list';
    expect(await client.start(list).result()).toMatchObject({
      resourceTemplates: [{ name: 'charts', mimeType: APP_TYPE, _meta: { ui } }],
    });
    const other = await perRequest(server.url).start(list).result();
    expect(other).toMatchObject({ resourceTemplates: [] });
  });

  it('are no pages if a handler gives something else (XTN-02)', async () => {
    write(page('one'));
    const client = await boot(false, []);
    const { resources } = server.app.get(McpCatalog);
    const give = async (name: string, value: unknown) => {
      const uri = `ui://desk/${name}`;
      resources.add({ uri, name }, () => value);
      return (await client.request('resources/read', { uri })).error?.code;
    };
    expect(await give('object', { tickets: [] })).toBe(-32603);
    expect(await give('text', 'no page')).toBe(-32603);
    const other = [{ uri: 'ui://desk/other', mimeType: 'text/html', text: CHART }];
    expect(await give('other', { contents: other })).toBe(-32603);
    expect(await give('bytes', Buffer.from(CHART))).toBeUndefined();
    expect(await give('nothing', undefined)).toBe(-32602);
  });

  it('are warned of once where a script may ask what is not declared (XTN-02)', async () => {
    write('<!doctype html><script>fetch("https://api.example.com/"); fetch("/tickets")</script>');
    await boot(false);
    expect(log.find('warn', `The app "${URI}" may load `)).toEqual([
      expect.stringContaining('add "https://api.example.com" to "csp.connectDomains"'),
      expect.stringContaining('call a tool instead'),
    ]);
  });

  it('are warned of once where they are read again, and again for another reason (XTN-02)', async () => {
    const load = (path: string) => `<!doctype html><script>fetch("https://api.example.com/${path}")</script>`;
    write(load('one'));
    await boot(true);
    const warnings = () => log.find('warn', `The app "${URI}" may load `);
    for (const again of ['one', 'one', 'two']) {
      write(`${load(again)}<p>${again}</p>`);
      await until(async () => (await readText()).endsWith(`<p>${again}</p>`), again);
    }
    expect(warnings().filter((line) => line.includes('/one'))).toHaveLength(1);
    expect(warnings().filter((line) => line.includes('/two'))).toHaveLength(1);
  });

  it('are read again if they were added while the server runs (XTN-02)', async () => {
    write(page('one'));
    await boot(true, []);
    server.app.get(McpCatalog).tools.add({ name: 'board', ui: 'board.html' }, () => '');
    expect(await readText()).toBe(page('one'));
    write(page('two'));
    await until(async () => (await readText()) === page('two'), 'the second page');
  });

  it('are not looked at any more once the server has ended (XTN-02) (OPS-05)', async () => {
    write(page('one'));
    await boot(true);
    await server.close();
    const ended = [...log.lines];
    const otherLog = new RecordedLog();
    const options = { apps: { directory: folder, watch: true } };
    server = await bootApps(adapter, { providers: [Board], options, nest: { logger: otherLog } });
    const warnings = () => otherLog.find('warn', `The app "${URI}" was not updated: `).length;
    for (const [times, text] of ['no page', 'no page again'].entries()) {
      write(text);
      await until(() => warnings() > times, text);
    }
    expect(log.lines).toEqual(ended);
  });
});
