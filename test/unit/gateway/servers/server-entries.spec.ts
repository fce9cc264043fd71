import { describe, expect, it } from '@jest/globals';
import type { ServerCalls } from '../../../../lib/gateway/calls/server-calls.js';
import { ServerEntries } from '../../../../lib/gateway/servers/server-entries.js';
import { buildGatewaySettings } from '../../../../lib/gateway/settings/gateway-options.js';
import {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../../../lib/server/catalog/registries.js';
import { McpCatalog } from '../../../../lib/server/catalog/mcp-catalog.js';

const URL = 'https://notes.example.com/mcp';

const NOTHING = {
  tools: undefined,
  resources: undefined,
  resourceTemplates: undefined,
  prompts: undefined,
  hasCompletions: false,
};

function createEntries() {
  const registries = [new ResourceRegistry(), new ResourceTemplateRegistry(), new PromptRegistry()] as const;
  const catalog = new McpCatalog(new ToolRegistry(), ...registries);
  const [settings] = buildGatewaySettings({
    servers: { notes: { url: URL, prefix: '', apps: true }, files: { url: URL } },
  });
  if (settings === undefined) throw new Error('There are no settings');
  return { catalog, entries: new ServerEntries(settings, catalog, {} as ServerCalls) };
}

describe('ServerEntries of a server without a prefix', () => {
  it('offers no entry that claims the URIs of another server (GATE-01)', () => {
    const { catalog, entries } = createEntries();
    entries.replace({
      ...NOTHING,
      resources: [
        { uri: 'files+file:///a', name: 'a' },
        { uri: 'note://1', name: 'one' },
      ],
      resourceTemplates: [
        { uriTemplate: '{+uri}', name: 'all' },
        { uriTemplate: 'note://{id}', name: 'notes' },
      ],
    });
    expect(catalog.resources.list()).toMatchObject([{ uri: 'note://1' }]);
    expect(catalog.resourceTemplates.list()).toMatchObject([{ uriTemplate: 'note://{id}' }]);
    expect(entries.refused).toMatchObject([
      { kind: 'resource', key: 'files+file:///a' },
      { kind: 'resourceTemplate', key: '{+uri}' },
    ]);
  });

  it('leaves subscriptions to the resources of the gateway itself alone (GATE-02)', () => {
    const { catalog, entries } = createEntries();
    catalog.resources.add({ uri: 'note://own', name: 'own' }, () => 'own');
    entries.replace({ ...NOTHING, resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'notes' }] });
    expect(entries.findOfferedUri('note://own')).toBeUndefined();
    expect(entries.findOfferedUri('note://7')).toEqual({ uri: 'note://7', listed: 'note://7' });
  });
});
