import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { App, McpModule, Tool } from 'nestjs-mcp';
import { McpAppHost } from 'nestjs-mcp/testing';
import type { Browser } from 'playwright-core';
import { start, type Started } from '../../sample/07-app/start.js';
import { connectHost } from '../../sample/07-app/demo/host-client.js';
import { until } from '../support/until.js';
import { launchChromium } from './chromium.js';

const PATIENCE_MS = 60_000;
const TOKENS = { reading: 'token-of-ada-for-reading', writing: 'token-of-ada-for-writing' };

/** A page that speaks with its host, and does what the test wants it to. */
const buildPage = (
  script: string,
) => `<!doctype html><title>App</title><p id="said"></p><button id="go">Go</button>
<script>
  let lastId = 0;
  const said = (text) => { document.getElementById('said').textContent = text; };
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const ask = (method, params) => new Promise((resolve) => {
    const id = ++lastId;
    addEventListener('message', ({ data }) => { if (data.id === id && !data.method) resolve(data); });
    post({ id, method, params });
  });
  addEventListener('message', ({ data }) => {
    if (data.method === 'ui/resource-teardown') post({ id: data.id, result: {} });
    if (data.method === 'ui/notifications/tool-result') said(data.params.content[0].text);
  });
  ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'app', version: '1' }, appCapabilities: {} })
    .then(() => post({ method: 'ui/notifications/initialized', params: {} }));
  document.getElementById('go').addEventListener('click', async () => { ${script} });
</script>`;

@Injectable()
class Desk {
  @Tool({ ui: 'caller' })
  show(): string {
    return 'shown by the app';
  }

  @App()
  caller(): string {
    return buildPage(
      "for (const name of ['own', 'modelOnly']) { const { result, error } = await ask('tools/call', { name, arguments: {} }); said(document.body.innerText + ' ' + (result ? result.content[0].text : error.message)); }",
    );
  }

  @Tool({ ui: { visibility: ['app'] } })
  own(): string {
    return 'called by the app';
  }

  @Tool({ ui: { visibility: ['model'] } })
  modelOnly(): string {
    return 'called by the model';
  }

  @Tool({ ui: 'blocked' })
  load(): string {
    return 'loaded';
  }

  @App()
  blocked(): string {
    return buildPage("fetch('https://api.example.com/').catch((error) => said('blocked'));");
  }

  @Tool({ ui: 'mute' })
  hush(): string {
    return 'hushed';
  }

  @App()
  mute(): string {
    return '<!doctype html><script>throw new Error("it broke")</script>';
  }

  @Tool()
  plain(): string {
    return 'plain';
  }
}

let browser: Browser;
let host: McpAppHost;

beforeAll(async () => {
  browser = await launchChromium();
}, PATIENCE_MS);
afterAll(() => browser?.close());

describe('The host of the test kit, in Chromium with the official bridge', () => {
  let moduleRef: TestingModule;

  beforeAll(async () => {
    moduleRef = await Test.createTestingModule({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
      providers: [Desk],
    }).compile();
    await moduleRef.init();
  });
  afterAll(() => moduleRef.close());
  afterEach(() => host.close());

  it.each(['2026-07-28', '2025-11-25'] as const)(
    'shows an app what its tool gave, and clicks in it, in %s (XTN-02)',
    async (revision) => {
      host = await McpAppHost.launch({ browser });
      const app = await host.open(moduleRef, { tool: 'show', revision });
      await app.waitForText('shown by the app');
      await app.click('Go');
      await app.waitForText('called by the app');
      expect(await app.text()).toContain('Apps may not call the tool "modelOnly"');
      expect(app.errors).toEqual([]);
      await app.close();
      expect(browser.contexts()).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'keeps an app to what it declares, and tells what was blocked (XTN-02)',
    async () => {
      host = await McpAppHost.launch({ browser });
      const app = await host.open(moduleRef, { tool: 'load' });
      await app.click('Go');
      await app.waitForText('blocked');
      await until(() => app.blocked.length > 0, 'a violation');
      expect(app.blocked).toContainEqual(expect.stringContaining('https://api.example.com'));
    },
    PATIENCE_MS,
  );

  it(
    'says why an app does not begin, and that a tool has none (XTN-02)',
    async () => {
      host = await McpAppHost.launch({ browser, patienceMs: 2000 });
      await expect(host.open(moduleRef, { tool: 'hush' })).rejects.toThrow('did not initialize: it broke');
      await expect(host.open(moduleRef, { tool: 'plain' })).rejects.toThrow('The tool "plain" has no app');
    },
    PATIENCE_MS,
  );
});

describe('The board of sample/07-app, in Chromium', () => {
  let board: Started;

  afterEach(async () => {
    await host.close();
    await board.app.close();
  });

  it(
    'calls tools, shows what others do, and has its host ask for a scope (XTN-02)',
    async () => {
      board = await start(0, TOKENS);
      const asked: string[] = [];
      const allows = (scope: string) => asked.push(scope) > 0;
      const client = await connectHost(board.url, { showsApps: true, tokens: TOKENS, allows });
      const writer = { reading: TOKENS.writing, writing: TOKENS.writing };
      const others = await connectHost(board.url, { showsApps: false, tokens: writer, allows });
      host = await McpAppHost.launch({ browser });
      const app = await host.open(client, { tool: 'show_board' });
      await app.waitForText('The printer is on fire');
      expect(app.result?.structuredContent).toMatchObject({ change: 0 });
      await others.callTool({ name: 'open_ticket', arguments: { title: 'The lift is stuck' } });
      await app.waitForText('The lift is stuck');
      expect(asked).toEqual([]);
      await app.click('Close ticket 1');
      await app.frame.getByText('The printer is on fire').waitFor({ state: 'detached' });
      expect(asked).toEqual([expect.stringContaining('board:write')]);
      await until(() => app.asked.modelContexts.length === 1, 'what the model is to know');
      expect([app.blocked, app.errors]).toEqual([[], []]);
      await app.close();
      await Promise.all([client.close(), others.close()]);
    },
    PATIENCE_MS,
  );
});
