import { describe, expect, it } from '@jest/globals';
import type { ServerCalls } from '../../../../lib/gateway/calls/server-calls.js';
import { ServerEntries } from '../../../../lib/gateway/servers/server-entries.js';
import { buildGatewaySettings } from '../../../../lib/gateway/settings/gateway-options.js';
import {
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../../../lib/server/catalog/registries.js';
import { McpCatalog } from '../../../../lib/server/catalog/mcp-catalog.js';
import type { ToolDefinition } from '../../../../lib/index.js';

const URL = 'https://notes.example.com/mcp';

const NOTHING = {
  tools: undefined,
  resources: undefined,
  resourceTemplates: undefined,
  prompts: undefined,
  hasCompletions: false,
};

const inputSchema = { type: 'object' } as const;

function createEntries(options: object = { prefix: '', apps: true }) {
  const tools = new ToolRegistry();
  const completions = new CompletionRegistry();
  const registries = [new ResourceRegistry(), new ResourceTemplateRegistry(), new PromptRegistry()] as const;
  const catalog = new McpCatalog(tools, ...registries, undefined, undefined, completions);
  const [settings] = buildGatewaySettings({
    servers: { notes: { url: URL, ...options }, files: { url: URL } },
  });
  if (settings === undefined) throw new Error('There are no settings');
  const entries = new ServerEntries(settings, catalog, {} as ServerCalls);
  const findScopes = (name: string) => tools.find(name)?.options.requiredScopes;
  return { catalog, tools, completions, entries, findScopes };
}

describe('ServerEntries', () => {
  it('removes what belongs to an entry with it, and refuses an argument that is listed twice (GATE-01)', () => {
    const { completions, entries } = createEntries();
    const own = [{ uri: 'note://1', name: 'one' }];
    entries.replace({
      ...NOTHING,
      resources: own,
      resourceTemplates: [{ uriTemplate: 'note://all/{id}', name: 'notes' }],
      prompts: [
        { name: 'write', arguments: [{ name: 'to' }] },
        { name: 'send', arguments: [{ name: 'to' }, { name: 'to' }] },
      ],
      hasCompletions: true,
    });
    expect(completions.size).toBe(2);
    expect(entries.refused).toMatchObject([{ kind: 'prompt', key: 'send' }]);
    expect(entries.findOfferedUri('note://1')).toBeDefined();
    expect(entries.findOfferedUri('note://all/7')).toBeDefined();
    entries.replace({ ...NOTHING, resources: [], resourceTemplates: [], prompts: [] });
    expect(completions.size).toBe(0);
    expect(entries.findOfferedUri('note://1')).toBeUndefined();
    expect(entries.findOfferedUri('note://all/7')).toBeUndefined();
  });

  it('lists no annotations and no arguments that the server does not list (GATE-01)', () => {
    const { catalog, tools, entries } = createEntries();
    entries.replace({ ...NOTHING, tools: [{ name: 'read', inputSchema }], prompts: [{ name: 'write' }] });
    expect(tools.find('read')?.definition).not.toHaveProperty('annotations');
    expect(catalog.prompts.find('write')).toEqual({ name: 'write' });
  });

  it('lists tuples of draft-07 in the form of draft 2020-12 (GATE-01, HOST-01)', () => {
    const { tools, entries } = createEntries();
    const listTuple = (tuple: object) => ({
      type: 'object',
      properties: { place: { type: 'array', ...tuple } },
    });
    const numbers = [{ type: 'number' }, { type: 'number' }];
    const draft7 = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...listTuple({ items: numbers }),
    } as ToolDefinition['inputSchema'];
    entries.replace({ ...NOTHING, tools: [{ name: 'go', inputSchema: draft7, outputSchema: draft7 }] });
    const expected = listTuple({ prefixItems: numbers, items: {} });
    expect(tools.find('go')?.definition).toMatchObject({ inputSchema: expected, outputSchema: expected });
  });

  it("combines the server's scopes with a tool's, also while the tool is unconfirmed (GATE-01)", () => {
    const change = { read: { requiredScopes: ['notes:read'] } };
    const { entries, findScopes } = createEntries({
      requiredScopes: ['notes'],
      tools: { change },
      pinned: true,
    });
    const replace = (description: string) =>
      entries.replace({ ...NOTHING, tools: [{ name: 'read', description, inputSchema }] });
    replace('Reads a note');
    expect(findScopes('notes_read')).toEqual(['notes', 'notes:read']);
    replace('Reads all your files');
    expect(entries.unconfirmed).toEqual(['read']);
    expect(findScopes('notes_read')).toEqual(['notes', 'notes:read']);
  });
});

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
