import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { ExtensionDesk } from './extension-desk.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 120_000;
const HEIGHT = 800;

const AREAS = ['Tools', 'Resources', 'Prompts', 'Tasks', 'Events', 'Skills'] as const;
const OTHER_AREAS = ['Messages', 'Requests', 'Doctor', 'Add to a client'] as const;

let desk: RunningApp;
let visit: ExplorerVisit;

const openExplorer = useExplorer();

beforeAll(async () => {
  const options = { tasks: true, events: true } as const;
  desk = await bootServer({ options, providers: [ExplorerDesk, ExtensionDesk] });
}, PATIENCE_MS);
afterAll(() => desk?.close());
afterEach(async () => {
  visit.assertPeace();
  await visit.close();
});

const open = async (width = 1280, hash = '') => {
  visit = await openExplorer(`${desk.url}${hash}`, { width });
  await visit.connected();
};

const heading = (name: string) => visit.page.getByRole('heading', { level: 2, name });

describe('The explorer at 400 pixels', () => {
  it(
    'has a header of a fifth of the screen at most (WAY-02)',
    async () => {
      await open(400);
      const box = await visit.page.locator('header').boundingBox();
      expect(box?.height).toBeGreaterThan(40);
      expect(box?.height).toBeLessThanOrEqual(HEIGHT / 5);
      const links = await visit.page.getByRole('navigation').getByRole('link').all();
      const tops = await Promise.all(links.map(async (link) => (await link.boundingBox())?.y));
      expect(new Set(tops).size).toBe(1);
    },
    PATIENCE_MS,
  );

  it(
    'scrolls to the side in none of its areas (WAY-02)',
    async () => {
      await open(400);
      for (const area of [...AREAS, ...OTHER_AREAS]) {
        await visit.choose(area);
        if (area === 'Doctor') {
          await visit.press('Examine the server');
          await visit.page.getByRole('table').waitFor();
        }
        const width = await visit.page.evaluate('document.documentElement.scrollWidth');
        expect({ area, width }).toEqual({ area, width: 400 });
      }
    },
    PATIENCE_MS,
  );

  it(
    'has the controls of the connection behind a button, which Escape closes (WAY-02)',
    async () => {
      await open(400);
      const revision = visit.page.getByLabel('Revision');
      expect(await revision.isVisible()).toBe(false);
      await visit.press('Connection');
      await revision.waitFor();
      await revision.focus();
      await visit.page.keyboard.press('Escape');
      await revision.waitFor({ state: 'hidden' });
    },
    PATIENCE_MS,
  );
});

describe('The explorer at 1280 pixels', () => {
  it(
    'has list, form and result side by side, with the first tool chosen (WAY-02)',
    async () => {
      await open();
      await heading('greet').waitFor();
      const list = visit.page.getByRole('list', { name: 'tools' });
      expect(await list.locator('[aria-current]').innerText()).toContain('greet');
      const parts = [list, visit.page.locator('.about'), visit.page.locator('.outcome')];
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
      const edges = boxes.map((box) => [box?.x ?? 0, (box?.x ?? 0) + (box?.width ?? 0)]);
      expect(edges.flat()).toEqual(edges.flat().toSorted((one, other) => one - other));
      expect(edges.at(-1)?.[1]).toBeGreaterThan(1200);
    },
    PATIENCE_MS,
  );

  it(
    'chooses the first entry of each area that has any, and moves no focus (WAY-02)',
    async () => {
      await open();
      for (const [area, first] of [
        ['Resources', 'board'],
        ['Prompts', 'warn'],
        ['Events', 'incident.created'],
        ['Skills', 'weekly-report'],
      ] as const) {
        await visit.choose(area);
        await heading(first).waitFor();
        expect(await visit.page.evaluate('document.activeElement.localName')).toBe('a');
      }
    },
    PATIENCE_MS,
  );

  it(
    'says what a tool declares, and offers its schema and an example (WAY-02)',
    async () => {
      await open(1280, '#tools/greet');
      const badges = visit.page.getByRole('list', { name: 'Declared by the tool' });
      expect(await badges.getByRole('listitem').allInnerTexts()).toEqual(['read-only']);
      await visit.page.getByText('Schema', { exact: true }).click();
      await visit.page
        .getByRole('group', { name: 'Schema of the arguments' })
        .getByText('"minLength": 2')
        .waitFor();
      await visit.page.getByText('Example', { exact: true }).click();
      await visit.press('Fill in the form');
      await visit.press('Call greet');
      await visit.expectText('Hello, {"name":"text","times":1,"tone":"plain"');
      await visit.choose('Tools', 'show');
      expect(await badges.getByRole('listitem').allInnerTexts()).toEqual(['app']);
    },
    PATIENCE_MS,
  );
});

describe('The address of an entry', () => {
  it(
    'leads to it, survives a reload, and is where the ways back and forth go (WAY-02)',
    async () => {
      await open(1280, '#tools/book');
      const { page } = visit;
      await heading('book').waitFor();
      await page.reload();
      await visit.connected();
      await heading('book').waitFor();
      await visit.choose('Tools', 'show');
      expect(new URL(page.url()).hash).toBe('#tools/show');
      await heading('show').waitFor();
      await visit.choose('Resources', 'inStock');
      await heading('inStock').waitFor();
      // Each area is a step of its own.
      await page.goBack();
      await page.goBack();
      await heading('show').waitFor();
      await page.goBack();
      await page.goBack();
      await heading('book').waitFor();
      await page.goForward();
      await page.goForward();
      await heading('show').waitFor();
    },
    PATIENCE_MS,
  );

  it(
    'says so if there is no such entry (WAY-02)',
    async () => {
      await open(1280, '#tools/nothing');
      await visit.expectText('There is no “nothing” for you.');
      expect(await visit.page.locator('[aria-current="true"]').count()).toBe(0);
    },
    PATIENCE_MS,
  );
});

describe('A user of the keyboard', () => {
  it(
    'comes from the load of the page to a called tool (WAY-02)',
    async () => {
      await open();
      const { keyboard } = visit.page;
      await keyboard.press('/');
      await keyboard.type('wait');
      const entries = visit.page.getByRole('list', { name: 'tools' }).getByRole('listitem');
      await expect(entries.allInnerTexts()).resolves.toEqual([expect.stringContaining('wait')]);
      await keyboard.press('Escape');
      await keyboard.type('gree');
      await keyboard.press('Enter');
      await heading('greet').waitFor();
      expect(await visit.page.evaluate('document.activeElement.id')).toBe('tool');
      await keyboard.press('Tab');
      await keyboard.press('Tab');
      await keyboard.type('Ada');
      await keyboard.press('Control+Enter');
      await visit.expectText('Hello, {"name":"Ada"');
    },
    PATIENCE_MS,
  );

  it(
    'goes through the list by arrow keys, and back to the filter (WAY-02)',
    async () => {
      await open();
      const { keyboard } = visit.page;
      const focused = () => visit.page.evaluate<string>('document.activeElement.innerText');
      await keyboard.press('/');
      await keyboard.press('ArrowDown');
      expect(await focused()).toContain('greet');
      await keyboard.press('ArrowDown');
      expect(await focused()).toContain('wait');
      await keyboard.press('End');
      await keyboard.press('Home');
      await keyboard.press('ArrowUp');
      expect(await visit.page.evaluate('document.activeElement.type')).toBe('search');
      await keyboard.press('ArrowDown');
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await heading('wait').waitFor();
      const outline = await visit.page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline).toBe('solid');
    },
    PATIENCE_MS,
  );
});
