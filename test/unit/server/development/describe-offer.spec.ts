import { describe, expect, it } from '@jest/globals';
import { describeOffer, type Offered } from '../../../../lib/server/development/development-reporter.js';

const nothing: Offered = { tools: [], resources: [], templates: [], prompts: [], skills: [], events: [] };

describe('describeOffer()', () => {
  it('names every kind of thing', () => {
    const entries = describeOffer({
      tools: [{ key: 'greet', definition: { name: 'greet' } }],
      resources: [
        { key: 'note://a', definition: {} },
        { key: 'ui://board', definition: {}, app: {} },
      ],
      templates: [{ key: 'note://{id}', definition: {} }],
      prompts: [{ key: 'review', definition: {} }],
      skills: [{ uri: 'skill://a/SKILL.md', frontmatter: {} }],
      events: [{ name: 'stock' }],
    });
    expect(entries.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'tool greet',
      'resource note://a',
      'app ui://board',
      'template note://{id}',
      'prompt review',
      'skill skill://a/SKILL.md',
      'event stock',
    ]);
  });

  it('leaves out what the server has of its own accord', () => {
    const tools = [{ key: 'search_tools', definition: {}, isOwn: true }];
    expect(describeOffer({ ...nothing, tools })).toEqual([]);
  });

  it('tells members apart that have changed', () => {
    const read = (description: string, scopes: readonly string[] = []) =>
      describeOffer({
        ...nothing,
        tools: [{ key: 'a', definition: { name: 'a', description }, access: { scopes, isPublic: false } }],
      })[0]?.parts;
    expect(read('one')).toEqual(read('one'));
    expect(read('one')?.['description']).not.toBe(read('two')?.['description']);
    expect(read('one')?.['name']).toBe(read('two')?.['name']);
    expect(read('one')?.['access']).not.toBe(read('one', ['write'])?.['access']);
  });
});
