import { beforeEach, describe, expect, it } from '@jest/globals';
import { ListDigests } from '../../../../../lib/server/catalog/listing/list-digests.js';
import { buildServerSettings } from '../../../../../lib/server/settings/server-settings.js';
import { TestCatalog } from '../../../support/catalog.js';

const SETTINGS = buildServerSettings({ serverInfo: { name: 'desk', version: '1.0.0' } });

const TOOL = {
  name: 'find',
  description: 'Finds a ticket',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
} as const;

/** Parts of a text of digests, by their lists. */
function parse({ text }: ListDigests): readonly string[] {
  return text.split('.');
}

describe('ListDigests', () => {
  let catalog: TestCatalog;

  const digest = ({ tools, prompts, resources, templates }: TestCatalog) =>
    new ListDigests(tools, prompts, resources, templates, SETTINGS);

  function fill({ entries }: TestCatalog, tools: readonly { readonly name: string }[] = [TOOL]): void {
    for (const tool of tools) entries.tools.add(tool, () => 'found');
    entries.prompts.add({ name: 'greet' }, () => 'Hello');
    entries.resources.add({ name: 'one', uri: 'desk://1' }, () => 'a ticket');
  }

  beforeEach(() => {
    catalog = new TestCatalog();
    fill(catalog);
  });

  it('are the same for catalogs that list the same, in whichever order (RELAY-16)', () => {
    const [one, other] = [new TestCatalog(), new TestCatalog()];
    fill(one, [TOOL, { name: 'close' }]);
    fill(other, [{ name: 'close' }, { ...TOOL }]);
    expect(digest(one).text).toBe(digest(other).text);
    expect(digest(one).text).toMatch(/^[\w-]{6}(?:\.[\w-]{6}){2}$/);
  });

  it.each<[string, (catalog: TestCatalog) => void, readonly number[]]>([
    ['a tool more', ({ entries }) => entries.tools.add({ name: 'close' }, () => ''), [0]],
    ['another description', ({ entries }) => entries.tools.update('find', { description: 'Other' }), [0]],
    ['another handler', ({ entries }) => entries.tools.update('find', {}, () => 'other'), []],
    [
      'another schema',
      ({ entries }) => entries.tools.update('find', { inputSchema: { type: 'object' } }),
      [0],
    ],
    ['a prompt less', ({ entries }) => entries.prompts.remove('greet'), [1]],
    [
      'another resource',
      ({ entries }) => entries.resources.update('desk://1', { mimeType: 'text/plain' }),
      [2],
    ],
    [
      'a template',
      ({ entries }) =>
        entries.resourceTemplates.add({ name: 'notes', uriTemplate: 'desk://{id}/notes' }, () => ''),
      [2],
    ],
  ])('differ for lists with %s (RELAY-16)', (_title, change, changed) => {
    const digests = digest(catalog);
    const before = parse(digests);
    change(catalog);
    const after = parse(digests);
    expect([0, 1, 2].filter((index) => before[index] !== after[index])).toEqual(changed);
  });

  it('are computed once for each state of the catalog (RELAY-16)', () => {
    const digests = digest(catalog);
    let shown = 0;
    catalog.entries.tools.add({ name: 'close' }, () => '');
    const listed = catalog.tools.list();
    catalog.tools.list = () => {
      shown += 1;
      return listed;
    };
    for (let count = 0; count < 10; count += 1) expect(digests.text).toBeDefined();
    expect(shown).toBe(1);
  });
});
