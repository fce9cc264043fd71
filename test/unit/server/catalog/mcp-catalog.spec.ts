import { beforeEach, describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import { z } from 'zod';
import { CatalogError } from '../../../../lib/server/catalog/catalog.error.js';
import { McpCatalog } from '../../../../lib/server/catalog/mcp-catalog.js';
import {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../../../lib/server/catalog/registries.js';
import { buildContext, invoke } from './boot-catalog.js';

describe('McpCatalog', () => {
  let tools: ToolRegistry;
  let templates: ResourceTemplateRegistry;
  let catalog: McpCatalog;

  beforeEach(() => {
    tools = new ToolRegistry();
    templates = new ResourceTemplateRegistry();
    catalog = new McpCatalog(tools, new ResourceRegistry(), templates, new PromptRegistry());
  });

  it('adds a tool whose handler is a function (MOD-06)', async () => {
    const inputSchema = z.object({ id: z.number() });
    catalog.tools.add({ name: 'double', inputSchema }, ({ id }: { id: number }, context) => [
      id * 2,
      context.id,
    ]);
    const entry = tools.find('double');
    expect(await entry?.input.validate({ id: 'seven' })).toMatchObject({ valid: false });
    expect(await invoke(entry?.invoke, { id: 7 }, buildContext())).toEqual([14, 1]);
  });

  it('takes the last value of an Observable (MOD-06)', async () => {
    catalog.tools.add({ name: 'count' }, () => of(1, 2, 3));
    expect(await invoke(tools.find('count')?.invoke, {})).toBe(3);
  });

  it('changes options and keeps the others, the handler and the place (MOD-06)', async () => {
    catalog.tools.add({ name: 'first', title: 'First', description: 'before' }, () => 'kept');
    catalog.tools.add({ name: 'second' }, () => 'second');
    catalog.tools.update('first', { description: 'after', timeoutMs: 50 });
    expect(catalog.tools.list().map(({ name }) => name)).toEqual(['first', 'second']);
    expect(catalog.tools.find('first')).toMatchObject({ title: 'First', description: 'after' });
    expect(tools.find('first')).toMatchObject({ timeoutMs: 50, sequence: 1 });
    expect(await invoke(tools.find('first')?.invoke, {})).toBe('kept');
  });

  it('changes the schema and the handler (MOD-06)', async () => {
    catalog.tools.add({ name: 'one' }, () => 'before');
    catalog.tools.update('one', { inputSchema: z.object({ id: z.number() }) }, () => 'after');
    expect(catalog.tools.find('one')?.inputSchema).toMatchObject({
      properties: { id: { type: 'number' } },
    });
    expect(await invoke(tools.find('one')?.invoke, { id: 7 })).toBe('after');
  });

  it('is not changed by what happens to the options afterwards', () => {
    const options = { name: 'one', description: 'before' };
    catalog.tools.add(options, () => 'one');
    options.description = 'meanwhile';
    catalog.tools.update('one', { title: 'One' });
    expect(catalog.tools.find('one')).toMatchObject({ description: 'before', title: 'One' });
  });

  it('removes entries and tells whether there was one (MOD-06)', () => {
    catalog.resources.add({ uri: 'desk://open', name: 'open' }, () => 'open');
    expect(catalog.resources.remove('desk://open')).toBe(true);
    expect(catalog.resources.remove('desk://open')).toBe(false);
    expect(catalog.resources.find('desk://open')).toBeUndefined();
  });

  it('serves resources, templates and prompts alike (MOD-06)', () => {
    catalog.resources.add({ uri: 'desk://open', name: 'open' }, () => 'open');
    catalog.resources.update('desk://open', { size: 4 });
    catalog.resourceTemplates.add({ uriTemplate: 'desk://{id}', name: 'ticket' }, () => 'ticket');
    catalog.prompts.add({ name: 'greet', arguments: [{ name: 'name' }] }, () => 'Hello');
    expect(catalog.resources.list()).toEqual([{ uri: 'desk://open', name: 'open', size: 4 }]);
    expect(catalog.resourceTemplates.list()).toEqual([{ uriTemplate: 'desk://{id}', name: 'ticket' }]);
    expect(templates.match('desk://7')?.variables).toEqual({ id: '7' });
    expect(catalog.prompts.list()).toEqual([{ name: 'greet', arguments: [{ name: 'name' }] }]);
  });

  it('adds handlers that need scopes, or no token (STEP-06)', () => {
    catalog.tools.add({ name: 'close', requiredScopes: ['desk:write', 'desk:write'] }, () => '');
    catalog.tools.add({ name: 'hours', isPublic: true }, () => '');
    catalog.resourceTemplates.add(
      { uriTemplate: 'desk://{id}', name: 'ticket', requiredScopes: ['desk:read'] },
      () => '',
    );
    expect(tools.find('close')?.access).toEqual({ scopes: ['desk:write'], isPublic: false });
    expect(tools.find('hours')?.access).toEqual({ scopes: [], isPublic: true });
    expect(templates.find('desk://{id}')?.access?.scopes).toEqual(['desk:read']);
    expect(JSON.stringify([catalog.tools.list(), catalog.resourceTemplates.list()])).not.toMatch(
      /desk:write|isPublic|requiredScopes/,
    );
  });

  it('changes who may call, and keeps it where something else changes (STEP-06)', () => {
    const requiredScopes = ['desk:write'];
    catalog.tools.add({ name: 'close', requiredScopes }, () => '');
    requiredScopes.length = 0;
    expect(tools.find('close')?.access?.scopes).toEqual(['desk:write']);
    catalog.tools.update('close', { requiredScopes: ['desk:admin'] });
    catalog.tools.update('close', { title: 'Close' });
    expect(tools.find('close')?.access).toEqual({ scopes: ['desk:admin'], isPublic: false });
    expect(() => catalog.tools.update('close', { isPublic: true })).toThrow(
      /^The tool "close" cannot be listed: It cannot be public and require scopes/,
    );
    catalog.tools.update('close', { isPublic: true, requiredScopes: [] });
    expect(tools.find('close')?.access).toEqual({ scopes: [], isPublic: true });
    catalog.tools.update('close', { isPublic: false });
    expect(tools.find('close')).not.toHaveProperty('access');
  });

  it('refuses what cannot be listed and names it (CORE-08) (MOD-11)', () => {
    expect(() => catalog.tools.add({ name: 'a b' }, () => '')).toThrow(
      /^The tool "a b" cannot be listed: The tool name "a b" contains/,
    );
    expect(() => catalog.tools.add({ name: 'one', inputSchema: { type: 'string' } }, () => '')).toThrow(
      /^The tool "one" cannot be listed: The input schema/,
    );
  });

  it.each<[string, unknown]>([
    ['no handler', undefined],
    ['a handler that is no function', { run: () => 'now' }],
  ])('refuses %s (MOD-06) (MOD-11)', (_what, handler) => {
    const { tools: area } = catalog;
    const add = () => area.add({ name: 'now' }, handler as () => unknown);
    expect(add).toThrow(CatalogError);
    expect(add).toThrow('The tool "now" has no handler: pass a function after the options');
    expect(area.find('now')).toBeUndefined();
  });

  it('refuses a second entry of one key and a change of none (CORE-08)', () => {
    catalog.tools.add({ name: 'one' }, () => 'first');
    expect(() => catalog.tools.add({ name: 'one' }, () => 'second')).toThrow(CatalogError);
    expect(() => catalog.tools.update('two', {})).toThrow('There is no tool "two": add it first');
  });

  it('leaves an entry as it is when a change cannot be used', () => {
    catalog.tools.add({ name: 'one', description: 'before' }, () => 'one');
    expect(() => catalog.tools.update('one', { description: 'after', timeoutMs: -1 })).toThrow(/"timeoutMs"/);
    expect(catalog.tools.find('one')?.description).toBe('before');
  });
});
