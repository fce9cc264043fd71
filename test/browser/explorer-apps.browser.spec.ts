import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { App, McpCatalog, Tool } from 'nestjs-mcp';
import type { Frame } from 'playwright-core';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 60_000;

/** An app that asks what the test wants it to. */
const BOARD = `<!doctype html><title>Board</title><p id="said"></p><button>In the app</button>
<script>
  let lastId = 0;
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  self.ask = (method, params) => new Promise((resolve) => {
    const id = ++lastId;
    addEventListener('message', ({ data }) => { if (data.id === id && !data.method) resolve(data); });
    post({ id, method, params });
  });
  addEventListener('message', ({ data }) => {
    if (data.method === 'ui/notifications/tool-result')
      document.getElementById('said').textContent = data.params.content[0].text;
  });
  ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'app', version: '1' }, appCapabilities: {} })
    .then(() => post({ method: 'ui/notifications/initialized', params: {} }));
</script>`;

@Injectable()
class Desk {
  readonly called: string[] = [];
  #shown = 0;

  @Tool({ ui: 'board' })
  show(): string {
    this.#shown += 1;
    return `shown ${this.#shown}`;
  }

  @App()
  board(): string {
    return BOARD;
  }

  @Tool({ annotations: { readOnlyHint: true } })
  read(): string {
    return this.#note('read');
  }

  @Tool()
  plain(): string {
    return this.#note('plain');
  }

  @Tool({ annotations: { readOnlyHint: false, destructiveHint: false } })
  write(): string {
    return this.#note('write');
  }

  @Tool({ annotations: { destructiveHint: true } })
  destroy(): string {
    return this.#note('destroy');
  }

  @Tool({ annotations: { readOnlyHint: true, destructiveHint: true } })
  undecided(): string {
    return this.#note('undecided');
  }

  @Tool({ ui: { visibility: ['model'] }, annotations: { readOnlyHint: true } })
  modelOnly(): string {
    return this.#note('modelOnly');
  }

  #note(name: string): string {
    this.called.push(name);
    return `${name} was called`;
  }
}

let desk: RunningApp;
let handlers: Desk;
let visit: ExplorerVisit;

const openExplorer = useExplorer();

/** Calls the tool, and shows its app. */
async function showApp(): Promise<Frame> {
  await visit.choose('Tools', 'show');
  await visit.press('Call show');
  await visit.press('Show the app of desk/show');
  await visit.page.frameLocator('iframe').getByText('shown').waitFor();
  const frame = visit.page.frames().find((one) => one !== visit.page.mainFrame());
  if (frame === undefined) throw new Error('There is no frame');
  return frame;
}

/** Has the app ask its host; playwright takes scripts as text. */
const askFrom = (app: Frame, method: string, params: object) =>
  app.evaluate<Record<string, unknown>>(`ask(${JSON.stringify(method)}, ${JSON.stringify(params)})`);

const callFrom = (app: Frame, name: string, args = {}) =>
  askFrom(app, 'tools/call', { name, arguments: args });

/** Notes for the page each state in which it offers to allow a call. */
const NOTE_STATES = `
  self.seen = [];
  new MutationObserver(() => {
    const allow = [...document.querySelectorAll('dialog button')].find(
      ({ textContent }) => textContent === 'Allow the call',
    );
    if (allow !== undefined) self.seen.push(allow.disabled ? 'disabled' : 'enabled');
  }).observe(document.body, { childList: true, subtree: true, attributes: true });
`;

const dialog = () => visit.page.getByRole('dialog', { name: 'An app asks' });
const pressIn = (name: string) => dialog().getByRole('button', { name }).click();

beforeEach(async () => {
  desk = await bootServer({ providers: [Desk] });
  handlers = desk.app.get(Desk);
  visit = await openExplorer(desk.url);
  await visit.connected();
}, PATIENCE_MS);

afterEach(async () => {
  visit.assertPeace();
  await visit.close();
  await desk.close();
}, PATIENCE_MS);

describe.each(['2026-07-28', '2025-11-25'])('An app in the explorer, in %s', (revision) => {
  beforeEach(() => visit.speak(revision), PATIENCE_MS);

  it(
    'runs once a button is pressed that says whose page it is, for each result anew (XTN-02, WAY-02)',
    async () => {
      await visit.choose('Tools', 'show');
      for (const text of ['shown 1', 'shown 2']) {
        visit.sent.length = 0;
        await visit.press('Call show');
        await visit.expectText(text);
        await visit.page.getByRole('button', { name: 'Show the app of desk/show' }).waitFor();
        expect(await visit.page.locator('iframe').count()).toBe(0);
        expect(visit.sent).not.toContain('resources/read');
        await visit.press('Show the app of desk/show');
        await visit.page.frameLocator('iframe').getByText(text).waitFor();
        expect(visit.sent).toContain('resources/read');
      }
      await visit.press('Close the app');
      await visit.page.getByRole('button', { name: 'Show the app of desk/show' }).waitFor();
      expect(await visit.page.locator('iframe').count()).toBe(0);
    },
    PATIENCE_MS,
  );

  it(
    'calls a tool that only reads without a question, and none that is for the model (XTN-02, WAY-02)',
    async () => {
      const app = await showApp();
      expect(await callFrom(app, 'read')).toMatchObject({
        result: { content: [{ text: 'read was called' }] },
      });
      expect(await callFrom(app, 'modelOnly')).toMatchObject({
        error: { message: 'Apps may not call the tool "modelOnly"' },
      });
      expect(handlers.called).toEqual(['read']);
      expect(await dialog().count()).toBe(0);
    },
    PATIENCE_MS,
  );

  it(
    'leaves the page its lists, which it goes on to follow (XTN-02, WAY-02)',
    async () => {
      const app = await showApp();
      const { tools, resources } = desk.app.get(McpCatalog);
      resources.add({ uri: 'desk://added', name: 'added_resource' }, () => 'what was added');
      tools.add({ name: 'added_tool', annotations: { readOnlyHint: true } }, () => 'added');
      await visit.page.getByRole('list', { name: 'tools' }).getByText('added_tool').waitFor();
      await visit.page.getByRole('link', { name: 'Resources (' }).waitFor();
      expect(await callFrom(app, 'added_tool')).toMatchObject({ result: { content: [{ text: 'added' }] } });
      expect(await askFrom(app, 'resources/read', { uri: 'desk://added' })).toMatchObject({
        result: { contents: [{ text: 'what was added' }] },
      });
    },
    PATIENCE_MS,
  );
});

describe('The user of an app in the explorer', () => {
  it.each([
    ['says nothing of it', 'plain', 'which does not declare that it is read-only'],
    ['says that it writes', 'write', 'which does not declare that it is read-only'],
    ['may destroy', 'destroy', 'which may destroy'],
    ['says both', 'undecided', 'which may destroy'],
  ])(
    'is asked before it calls a tool that %s (XTN-02, WAY-02)',
    async (_what, tool, reason) => {
      const app = await showApp();
      const refused = callFrom(app, tool, { id: 'ticket 7' });
      await dialog().getByText(`The app of show wants to call ${tool}, ${reason}.`).waitFor();
      await dialog().getByText('ticket 7').waitFor();
      await pressIn('Refuse');
      expect(await refused).toMatchObject({
        error: { message: `The user did not allow the call to "${tool}"` },
      });
      expect(handlers.called).toEqual([]);
      const allowed = callFrom(app, tool);
      await pressIn('Allow the call');
      expect(await allowed).toMatchObject({ result: { content: [{ text: `${tool} was called` }] } });
      expect(handlers.called).toEqual([tool]);
    },
    PATIENCE_MS,
  );

  it(
    'is asked about each of its calls, and about a tool that is not listed (XTN-02, WAY-02)',
    async () => {
      const app = await showApp();
      const calls = ['destroy', 'plain', 'nothing'].map((tool) => callFrom(app, tool));
      await dialog().getByText('wants to call destroy').waitFor();
      await pressIn('Allow the call');
      await dialog().getByText('wants to call plain').waitFor();
      await visit.page.keyboard.press('Escape');
      await dialog().getByText('wants to call nothing, which is not in the list of tools').waitFor();
      await pressIn('Allow the call');
      const answers = await Promise.all(calls);
      expect(answers.map((answer) => 'result' in answer)).toEqual([true, false, false]);
      expect(handlers.called).toEqual(['destroy']);
    },
    PATIENCE_MS,
  );

  it(
    'closes it with all that it asks (XTN-02, WAY-02)',
    async () => {
      const app = await showApp();
      const calls = Array.from({ length: 50 }, () => callFrom(app, 'destroy').catch(() => 'gone'));
      await dialog().waitFor();
      await pressIn('Close the app');
      await visit.page.getByRole('button', { name: 'Show the app of desk/show' }).waitFor();
      expect(await dialog().count()).toBe(0);
      expect(await visit.page.locator('iframe').count()).toBe(0);
      await Promise.all(calls);
      expect(handlers.called).toEqual([]);
      await showApp();
    },
    PATIENCE_MS,
  );

  it(
    'allows nothing by a key or a click that was meant for it (XTN-02, WAY-02)',
    async () => {
      const app = await showApp();
      await visit.page.evaluate(NOTE_STATES);
      await app.getByRole('button', { name: 'In the app' }).focus();
      const call = callFrom(app, 'destroy');
      await dialog().getByRole('button', { name: 'Allow the call', disabled: false }).waitFor();
      const seen = await visit.page.evaluate<string[]>('self.seen');
      expect([seen[0], seen.at(-1)]).toEqual(['disabled', 'enabled']);
      await visit.page.keyboard.press('Enter');
      expect(await call).toMatchObject({
        error: { message: 'The user did not allow the call to "destroy"' },
      });
      const calls = [callFrom(app, 'plain'), callFrom(app, 'destroy')];
      for (const tool of ['plain', 'destroy']) {
        await dialog().getByText(`wants to call ${tool}`).waitFor();
        await visit.page.keyboard.press('Enter');
      }
      await Promise.all(calls);
      expect(handlers.called).toEqual([]);
    },
    PATIENCE_MS,
  );
});
