import { beforeEach, describe, expect, it } from '@jest/globals';
import { DeclaredAccess } from '../../../../../lib/server/auth/access/declared-access.js';
import { TestCatalog } from '../../../support/catalog.js';

describe('DeclaredAccess', () => {
  let catalog: TestCatalog;
  let declared: DeclaredAccess;

  beforeEach(() => {
    catalog = new TestCatalog();
    const { tools, resources, templates, prompts, completions, addedScopes } = catalog;
    declared = new DeclaredAccess(tools, resources, templates, prompts, completions, addedScopes);
  });

  it('knows of nothing where nothing is declared (STEP-06)', () => {
    catalog.entries.tools.add({ name: 'open' }, () => '');
    expect([declared.scopes, declared.hasPublic]).toEqual([[], false]);
  });

  it('gives the scopes of entries of every kind, each once, in the order of the catalog (STEP-06)', () => {
    const { tools, resources, resourceTemplates, prompts } = catalog.entries;
    catalog.addCompletion({ prompt: 'greet', argument: 'name' }, () => [], { requiredScopes: ['e', 'a'] });
    prompts.add({ name: 'greet', requiredScopes: ['d'] }, () => '');
    resourceTemplates.add({ name: 'one', uriTemplate: 'desk://{id}', requiredScopes: ['c'] }, () => '');
    resources.add({ name: 'all', uri: 'desk://all', requiredScopes: ['b', 'a'] }, () => '');
    tools.add({ name: 'first', requiredScopes: ['z', 'a'] }, () => '');
    tools.add({ name: 'second', requiredScopes: ['a', 'y'] }, () => '');
    expect(declared.scopes).toEqual(['z', 'a', 'y', 'b', 'c', 'd', 'e']);
  });

  it('gives those of extensions behind them, each once (STEP-06) (PRM-02)', () => {
    catalog.entries.tools.add({ name: 'first', requiredScopes: ['z', 'a'] }, () => '');
    catalog.addedScopes.add(['b', 'a']);
    expect(declared.scopes).toEqual(['z', 'a', 'b']);
    catalog.addedScopes.add(['c']);
    expect(declared.scopes).toEqual(['z', 'a', 'b', 'c']);
  });

  it.each<[string, () => unknown]>([
    ['tool', () => catalog.entries.tools.add({ name: 'x', isPublic: true }, () => '')],
    ['resource', () => catalog.entries.resources.add({ name: 'x', uri: 'x://', isPublic: true }, () => '')],
    [
      'template',
      () =>
        catalog.entries.resourceTemplates.add({ name: 'x', uriTemplate: 'x:{y}', isPublic: true }, () => ''),
    ],
    ['prompt', () => catalog.entries.prompts.add({ name: 'x', isPublic: true }, () => '')],
    ['completion', () => catalog.addCompletion({ prompt: 'x', argument: 'y' }, () => [], { isPublic: true })],
  ])('tells whether there is a public %s (STEP-06)', (_kind, add) => {
    expect(declared.hasPublic).toBe(false);
    add();
    expect(declared.hasPublic).toBe(true);
  });

  it('follows the catalog while the server runs (STEP-06)', () => {
    const { tools } = catalog.entries;
    tools.add({ name: 'close', requiredScopes: ['desk:write'] }, () => '');
    expect(declared.scopes).toEqual(['desk:write']);
    tools.update('close', { requiredScopes: ['desk:admin'] });
    expect(declared.scopes).toEqual(['desk:admin']);
    tools.update('close', { requiredScopes: [], isPublic: true });
    expect([declared.scopes, declared.hasPublic]).toEqual([[], true]);
    tools.remove('close');
    expect([declared.scopes, declared.hasPublic]).toEqual([[], false]);
  });

  it('looks through the catalog only when that has changed (STEP-06)', () => {
    catalog.entries.tools.add({ name: 'close', requiredScopes: ['desk:write'] }, () => '');
    const { scopes } = declared;
    expect(declared.scopes).toBe(scopes);
    catalog.entries.prompts.add({ name: 'greet' }, () => '');
    expect(declared.scopes).not.toBe(scopes);
  });

  it('takes a catalog of any size (SAFE-01)', () => {
    const access = { scopes: ['desk:read'], isPublic: false };
    for (let index = 0; index < 150_000; index += 1) {
      catalog.completions.add({ key: String(index), invoke: () => [], access });
    }
    expect(declared.scopes).toEqual(['desk:read']);
  });
});
