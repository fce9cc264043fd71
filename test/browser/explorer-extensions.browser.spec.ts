import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpEvents } from 'nestjs-mcp';
import { NEVER } from 'rxjs';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { until } from '../support/until.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { ExtensionDesk } from './extension-desk.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 60_000;
const TELLS = ['2026-07-28', '2025-11-25', '2025-06-18'];

let desk: RunningApp;
let visit: ExplorerVisit;

const openExplorer = useExplorer();

afterEach(async () => {
  visit.assertPeace();
  await visit.close();
  await desk.close();
}, PATIENCE_MS);

describe('The areas of extensions', () => {
  it(
    'are there for servers alone that declare them (WAY-02)',
    async () => {
      desk = await bootServer({ providers: [ExplorerDesk] });
      visit = await openExplorer(desk.url);
      await visit.connected();
      const areas = await visit.page.getByRole('navigation').getByRole('link').allInnerTexts();
      expect(areas.join()).toContain('Tools (');
      expect(areas.join()).not.toMatch(/Tasks|Events|Skills/);
      await visit.page.goto(`${desk.url}#skills`);
      await visit.expectText('The server does not list any of these for you.');
    },
    PATIENCE_MS,
  );
});

describe.each(TELLS)('A user of the explorer, at a server with extensions, in %s', (revision) => {
  let handlers: ExtensionDesk;

  beforeEach(async () => {
    desk = await bootServer({ options: { tasks: true, events: true }, providers: [ExtensionDesk] });
    handlers = desk.app.get(ExtensionDesk);
    visit = await openExplorer(desk.url);
    await visit.speak(revision);
  }, PATIENCE_MS);

  it(
    'follows a task, answers what it asks, and sees its result (WAY-02, TASK-01)',
    async () => {
      const { page } = visit;
      await visit.choose('Tools', 'importFiles');
      await visit.press('Call importFiles');
      await visit.press('Follow the task');
      await visit.expectText('Input request: Overwrite what is there?');
      await visit.press('Respond');
      await page.getByRole('dialog').getByLabel('overwrite').selectOption('true');
      await visit.press('Answer');
      await visit.expectText('imported, overwriting: true');
      await page.locator('#task-status', { hasText: 'completed' }).waitFor();
    },
    PATIENCE_MS,
  );

  it(
    'cancels a task (WAY-02, TASK-01)',
    async () => {
      await visit.choose('Tools', 'countStock');
      await visit.press('Call countStock');
      await visit.press('Follow the task');
      await visit.expectText('working: Counting shelf 3');
      await visit.press('Cancel the task');
      await visit.page.locator('#task-status', { hasText: 'cancelled' }).waitFor();
      await until(() => handlers.cancelled.length > 0, 'the end of the task at the server');
    },
    PATIENCE_MS,
  );

  it(
    'takes the answer itself instead of a task (WAY-02, TASK-01)',
    async () => {
      handlers.gates.at('count').open();
      await visit.choose('Tools', 'countStock');
      await visit.page.getByLabel('Run as a task, if the tool can').uncheck();
      await visit.press('Call countStock');
      await visit.expectText('counted at once');
    },
    PATIENCE_MS,
  );

  it(
    'polls events, and goes on where the last poll ended (WAY-02)',
    async () => {
      await visit.choose('Events (1)', 'incident.created');
      await visit.press('Poll');
      await visit.page.getByRole('button', { name: 'Poll again' }).waitFor();
      handlers.incidents.next({ id: 'I-1', severity: 'low' });
      await visit.press('Poll again');
      await visit.expectText('"id": "I-1"');
    },
    PATIENCE_MS,
  );

  it(
    'listens to the events that it wants, and stops (WAY-02)',
    async () => {
      await visit.choose('Events (1)', 'incident.created');
      await visit.page.getByLabel('severity').selectOption('high');
      await visit.press('Listen');
      await visit.page.getByRole('log').getByText('events/active').waitFor();
      handlers.incidents.next({ id: 'I-1', severity: 'low' });
      handlers.incidents.next({ id: 'I-2', severity: 'high' });
      await visit.page.getByRole('log').getByText('I-2').waitFor();
      await visit.expectText('Listening: 1 events so far.');
      await visit.press('Stop');
      await visit.expectText('Stopped.');
      await visit.expectText('"severity"');
    },
    PATIENCE_MS,
  );

  it(
    'lists events again when the server says that they have changed (WAY-02, XTN-06)',
    async () => {
      await visit.choose('Events (1)');
      desk.app.get(McpEvents).add({ name: 'late.added', description: 'Fires late' }, NEVER);
      await visit.choose('Events (2)', 'late.added');
      await visit.expectText('Fires late');
      await visit.choose('Messages');
      await visit.page.getByRole('log').getByText('events/list_changed').waitFor();
    },
    PATIENCE_MS,
  );

  it(
    'reads a skill and its files, which are no pages (WAY-02)',
    async () => {
      const { page } = visit;
      await visit.choose('Skills (2)', 'weekly-report');
      await page.getByRole('list', { name: 'files' }).getByRole('button', { name: 'SKILL.md' }).click();
      await visit.expectText('<script>document.title=1</script>');
      await page.getByRole('button', { name: 'templates/form.md' }).click();
      await visit.expectText('| day | tickets |');
      await visit.choose('Skills (2)', 'busy');
      await visit.press('List its folder');
      await page
        .getByRole('list', { name: 'files' })
        .getByRole('button', { name: 'SKILL.md' })
        .first()
        .click();
      await visit.expectText('The desk is busy with chairs.');
      expect(await page.title()).toBe('desk: MCP explorer');
    },
    PATIENCE_MS,
  );
});
