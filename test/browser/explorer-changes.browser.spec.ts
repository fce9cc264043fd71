import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpCatalog, Tool } from 'nestjs-mcp';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 60_000;

@Injectable()
class LaterDesk {
  @Tool({ description: 'Was not there before' })
  late(): string {
    return 'here';
  }
}

let desk: RunningApp;
let visit: ExplorerVisit;

const openExplorer = useExplorer();

afterEach(async () => {
  visit.assertPeace();
  await visit.close();
  await desk.close();
}, PATIENCE_MS);

const enter = async (revision: string) => {
  desk = await bootServer({ providers: [ExplorerDesk] });
  visit = await openExplorer(desk.url);
  await visit.speak(revision);
};

describe.each(['2026-07-28', '2025-11-25', '2025-06-18'])('A change of the catalog, in %s', (revision) => {
  it(
    'is seen on the page at once, for each kind of entry (WAY-02)',
    async () => {
      await enter(revision);
      const { tools, resources, prompts } = desk.app.get(McpCatalog);
      tools.add({ name: 'added_tool', description: 'Added' }, () => 'added');
      await visit.choose('Tools', 'added_tool');
      resources.add({ uri: 'desk://added', name: 'added_resource' }, () => 'added');
      await visit.choose('Resources', 'added_resource');
      prompts.add({ name: 'added_prompt' }, () => 'added');
      await visit.choose('Prompts', 'added_prompt');
      await visit.choose('Messages');
      expect(await visit.page.getByRole('log').innerText()).toContain('tools/list_changed');
    },
    PATIENCE_MS,
  );
});

describe('A server that starts again, in 2026-07-28', () => {
  it(
    'is listened to again, and what it offers now is listed (WAY-02)',
    async () => {
      await enter('2026-07-28');
      const { port } = desk;
      await desk.close();
      desk = await bootServer({ providers: [ExplorerDesk, LaterDesk], port });
      await visit.choose('Tools', 'late');
      desk.app.get(McpCatalog).tools.add({ name: 'added_tool', description: 'Added' }, () => 'added');
      await visit.choose('Tools', 'added_tool');
      // What a browser notes of the time between is no fault of the page.
      expect(visit.errors.filter((text) => !text.includes('net::ERR_'))).toEqual([]);
      visit.errors.length = 0;
    },
    PATIENCE_MS,
  );
});
