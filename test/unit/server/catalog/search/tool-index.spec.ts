import { describe, expect, it } from '@jest/globals';
import MiniSearch from 'minisearch';
import { buildToolEntry } from '../../../../../lib/server/catalog/building/build-entries.js';
import { ToolRegistry } from '../../../../../lib/server/catalog/registries.js';
import { ToolIndex } from '../../../../../lib/server/catalog/search/tool-index.js';
import type { ToolOptions } from '../../../../../lib/server/settings/handler-options.interface.js';

function indexOf(...tools: readonly (ToolOptions & { readonly name: string })[]) {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.add(buildToolEntry(tool, () => ''));
  const index = new ToolIndex(registry, MiniSearch);
  return { registry, rank: (query: string) => index.rank(query).map(({ key }) => key) };
}

describe('ToolIndex', () => {
  it('ranks a name before a tag, and a tag before a description (XTN-07)', () => {
    const { rank } = indexOf(
      { name: 'one', description: 'about an invoice' },
      { name: 'two', tags: ['invoice'] },
      { name: 'invoice' },
    );
    expect(rank('invoice')).toEqual(['invoice', 'two', 'one']);
  });

  it('keeps the order of the catalog among tools that are as good (XTN-07)', () => {
    const names = ['b', 'a', 'c'].map((letter) => `same_${letter}`);
    const { rank } = indexOf(...names.map((name) => ({ name })));
    expect(rank('same')).toEqual(names);
  });

  it('counts the first words of a query alone (XTN-07)', () => {
    const { rank } = indexOf({ name: 'last' }, { name: 'first' });
    const filler = Array.from({ length: 15 }, (_, index) => `filler${index}`).join(' ');
    expect(rank(`first ${filler} last`)).toEqual(['first']);
  });

  it('finds parameters of parameters, and reads no further than it has to (XTN-07)', () => {
    const properties = { address: { type: 'object', properties: { street: { type: 'string' } } } };
    const { rank } = indexOf(
      { name: 'deliver', inputSchema: { type: 'object', properties } },
      { name: 'book', description: `${'x '.repeat(8192)}street` },
    );
    expect(rank('street')).toEqual(['deliver']);
  });

  it('takes up changes, and nothing that it had before them (XTN-07)', () => {
    const { registry, rank } = indexOf({ name: 'one', description: 'old words' });
    expect(rank('old')).toEqual(['one']);
    registry.replace(buildToolEntry({ name: 'one', description: 'other words' }, () => ''));
    registry.add(buildToolEntry({ name: 'two', description: 'other words' }, () => ''));
    expect(rank('old')).toEqual([]);
    expect(rank('other')).toEqual(['one', 'two']);
    registry.remove('one');
    expect(rank('other')).toEqual(['two']);
  });
});
