import { beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogChangeNotifier } from '../../../../lib/server/notifications/catalog-change-notifier.js';
import { ListenerRegistry } from '../../../../lib/server/notifications/listener-registry.js';
import { McpNotifier } from '../../../../lib/server/notifications/mcp-notifier.js';
import { SessionRegistry } from '../../../../lib/server/sessions/session-registry.js';
import { createPublisher } from '../../support/notifications.js';
import { TestCatalog } from '../../support/catalog.js';
import type { Json } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('CatalogChangeNotifier', () => {
  let catalog: TestCatalog;
  let catalogChanges: CatalogChangeNotifier;
  let told: string[];

  beforeEach(() => {
    const listeners = new ListenerRegistry(buildSettings());
    catalog = new TestCatalog();
    const registry = new SessionRegistry(buildSettings());
    const notifier = new McpNotifier(registry, listeners, createPublisher({ registry, listeners, catalog }));
    catalogChanges = new CatalogChangeNotifier(notifier, catalog);
    told = [];
    listeners.add({
      subscriptionId: 1,
      filter: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
      send: ({ json }) => told.push(String((JSON.parse(json) as Json)['method']).split('/')[1] ?? ''),
      finish: () => undefined,
    });
  });

  const changes: readonly [list: string, change: (catalog: TestCatalog) => void][] = [
    ['tools', ({ entries }) => entries.tools.add({ name: 'a' }, () => 'x')],
    ['prompts', ({ entries }) => entries.prompts.add({ name: 'a' }, () => 'x')],
    ['resources', ({ entries }) => entries.resources.add({ name: 'a', uri: 'desk://1' }, () => 'x')],
    [
      'resources',
      ({ entries }) => entries.resourceTemplates.add({ name: 'a', uriTemplate: 'desk://{id}' }, () => 'x'),
    ],
  ];

  it.each(changes)('tells of %s, and of nothing else, where one is added (MOD-06)', async (list, change) => {
    catalogChanges.onApplicationBootstrap();
    change(catalog);
    await turn();
    expect(told).toEqual([list]);
  });

  it('tells of each change that is made by itself (MOD-06)', async () => {
    catalogChanges.onApplicationBootstrap();
    catalog.entries.tools.add({ name: 'a' }, () => 'x');
    await turn();
    catalog.entries.tools.update('a', { description: 'A' });
    await turn();
    catalog.entries.tools.remove('a');
    await turn();
    expect(told).toEqual(['tools', 'tools', 'tools']);
  });

  it('tells once of changes that are made in one go (MOD-06)', async () => {
    catalogChanges.onApplicationBootstrap();
    for (const [, change] of changes) change(catalog);
    for (let count = 0; count < 50; count++) catalog.entries.tools.add({ name: `tool-${count}` }, () => 'x');
    await turn();
    expect(told.toSorted()).toEqual(['prompts', 'resources', 'tools']);
  });

  it('tells nothing of what is declared at start-up (MOD-06)', async () => {
    catalog.entries.tools.add({ name: 'a' }, () => 'x');
    catalogChanges.onApplicationBootstrap();
    await turn();
    expect(told).toEqual([]);
  });

  it('tells nothing after the shut-down has begun (MOD-12)', async () => {
    catalogChanges.onApplicationBootstrap();
    catalogChanges.onModuleDestroy();
    catalog.entries.tools.add({ name: 'a' }, () => 'x');
    await turn();
    expect(told).toEqual([]);
  });
});
