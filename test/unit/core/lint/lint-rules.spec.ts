import { describe, expect, it } from '@jest/globals';
import { LINT_RULES, lintCatalog } from '../../../../lib/core/lint/lint-catalog.js';
import type { ListedCatalog } from '../../../../lib/core/lint/read-catalog.js';
import { buildCatalog, buildTaking, buildTool } from './good-catalog.js';

const tools = (...listed: readonly unknown[]): ListedCatalog => ({ tools: listed });
const text = (description = 'What is looked for in all texts') => ({ type: 'string', description });
const nest = (depth: number): object =>
  depth === 0
    ? text()
    : { type: 'object', description: 'A box in a box', properties: { box: nest(depth - 1) } };
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`filter_${index}_by`, text()]));

/** What each rule finds, and beside it what it lets pass. */
const EXAMPLES: readonly (readonly [rule: string, found: ListedCatalog, passes: ListedCatalog])[] = [
  ['host-name', tools(buildTool({ name: 'find tickets' })), tools(buildTool({ name: 'find-tickets' }))],
  ['host-root', tools(buildTool({ inputSchema: { type: 'object', anyOf: [] } })), tools(buildTool())],
  ['host-property', tools(buildTaking({ 'the words': text() })), tools(buildTaking({ words: text() }))],
  [
    'host-items',
    tools(buildTaking({ words: { ...text(), type: 'array' } })),
    tools(buildTaking({ words: { ...text(), type: 'array', items: { type: 'string' } } })),
  ],
  [
    'host-keyword',
    tools(buildTaking({ words: { ...text(), enum: ['', 'all'] } })),
    tools(buildTaking({ words: { ...text(), enum: ['none', 'all'] } })),
  ],
  [
    'host-output-dialect',
    tools(
      buildTool({ outputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } }),
    ),
    tools(
      buildTool({
        outputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
      }),
    ),
  ],
  [
    'unknown-required',
    tools(buildTaking({ words: text() }, { required: ['words', 'limit'] })),
    tools(buildTaking({ words: text() }, { required: ['limit'], additionalProperties: { type: 'number' } })),
  ],
  ['long-name', tools(buildTool({ name: 'f'.repeat(49) })), tools(buildTool({ name: 'f'.repeat(48) }))],
  ['duplicate-name', tools(buildTool(), buildTool()), tools(buildTool())],
  [
    'hidden-characters',
    tools(buildTool({ description: `Finds tickets by their words\u{e0041}` })),
    tools(buildTool({ description: 'Finds tickets\nby their words: 👩‍💻, ❤️, 1️⃣, می‌خواهم, 葛\u{e0100}' })),
  ],
  [
    'similar-names',
    tools(buildTool({ name: 'getUser' }), buildTool({ name: 'fetch_users' })),
    tools(buildTool({ name: 'get_user' }), buildTool({ name: 'delete_user' })),
  ],
  [
    'similar-descriptions',
    tools(buildTool(), buildTool({ name: 'search' })),
    tools(
      buildTool(),
      buildTool({ name: 'close', description: 'Closes one ticket for good and tells its owner' }),
    ),
  ],
  [
    'mixed-naming',
    tools(buildTool(), buildTool({ name: 'closeTicket' })),
    tools(buildTool(), buildTool({ name: 'close_ticket' }), buildTool({ name: 'help' })),
  ],
  ['tool-description', tools(buildTool({ description: ' ' })), tools(buildTool())],
  [
    'prompt-description',
    { prompts: [{ name: 'triage' }] },
    { prompts: [{ name: 'triage', description: 'Sorts new tickets by urgency' }] },
  ],
  [
    'resource-description',
    { resourceTemplates: [{ name: 'ticket', uriTemplate: 'desk://{id}' }] },
    { resources: [{ name: 'rules', uri: 'desk://rules', description: 'How fast tickets are answered' }] },
  ],
  [
    'vague-description',
    tools(buildTool({ description: 'TODO: describe what this tool does in general' })),
    tools(buildTool({ description: 'Lists open tickets' })),
  ],
  [
    'description-repeats-name',
    tools(buildTool({ description: 'This tool finds the ticket' })),
    tools(buildTool({ description: 'Finds tickets of one customer' })),
  ],
  [
    'long-description',
    tools(buildTool({ description: 'Finds tickets '.repeat(74) })),
    tools(buildTool({ description: 'Finds tickets '.repeat(70) })),
  ],
  [
    'instructions',
    { instructions: undefined, tools: [buildTool(), buildTool({ name: 'close_ticket' })] },
    { instructions: undefined, tools: [buildTool()] },
  ],
  [
    'parameter-description',
    tools(buildTaking({ address: { ...text(), type: 'object', properties: { zip: { type: 'string' } } } })),
    tools(buildTaking({ kind: { const: 'circle' }, words: text() })),
  ],
  [
    'parameter-repeats-name',
    tools(buildTaking({ customerName: text('The name of the customer') })),
    tools(buildTaking({ customer: text('The name of the customer') })),
  ],
  [
    'parameter-type',
    tools(buildTaking({ words: { description: 'What is looked for' } })),
    tools(buildTaking({ words: { anyOf: [{ type: 'string' }, { type: 'null' }] } })),
  ],
  [
    'parameter-name',
    tools(buildTaking({ arg1: text() })),
    tools(buildTaking({ x: text(), valueDate: text() })),
  ],
  [
    'enum-meaning',
    tools(buildTaking({ priority: { ...text(), enum: ['1', '2'] } })),
    tools(buildTaking({ priority: { ...text('1 is urgent, 2 can wait'), enum: [1, 2] } })),
  ],
  ['too-many-parameters', tools(buildTaking(many(21))), tools(buildTaking(many(20)))],
  ['deep-nesting', tools(buildTaking({ box: nest(5) })), tools(buildTaking({ box: nest(4) }))],
  [
    'prompt-argument-description',
    { prompts: [{ name: 'triage', arguments: [{ name: 'id' }] }] },
    { prompts: [{ name: 'triage', arguments: [{ name: 'id', description: 'Of the ticket' }] }] },
  ],
  ['output-schema', tools(buildTool({ outputSchema: undefined })), tools(buildTool())],
  [
    'tool-annotations',
    tools(buildTool({ annotations: { readOnlyHint: false } })),
    tools(buildTool({ annotations: { readOnlyHint: false, destructiveHint: false } })),
  ],
  [
    'contradicting-annotations',
    tools(buildTool({ name: 'delete_ticket' })),
    tools(buildTool({ name: 'deleted_tickets' })),
  ],
  [
    'tool-title',
    tools(buildTool({ title: undefined })),
    tools(buildTool({ annotations: { title: 'Find' } })),
  ],
  [
    'resource-type',
    { resources: [{ name: 'rules', uri: 'desk://rules' }] },
    { resources: [{ name: 'rules', uri: 'desk://rules', mimeType: 'text/plain' }] },
  ],
  [
    'tool-tokens',
    tools(buildTool({ description: 'Finds tickets by their words. '.repeat(200) })),
    tools(buildTool({ description: 'Finds tickets by their words. '.repeat(100) })),
  ],
  [
    'list-tokens',
    tools(buildTool({ description: 'Finds tickets by their words. '.repeat(2000) })),
    tools(buildTool()),
  ],
  [
    'too-many-tools',
    tools(...Array.from({ length: 101 }, () => buildTool())),
    tools(...Array.from({ length: 100 }, () => buildTool())),
  ],
];

const findOf = (rule: string, catalog: ListedCatalog) =>
  lintCatalog(catalog).findings.filter((finding) => finding.rule === rule);

describe('The rules of the lint', () => {
  it('have an example each (KIT-04)', () => {
    expect(EXAMPLES.map(([rule]) => rule)).toEqual(LINT_RULES.map(({ id }) => id));
  });

  it('find nothing in a catalog that is as it should be (KIT-04)', () => {
    expect(lintCatalog(buildCatalog()).findings).toEqual([]);
  });

  it.each(EXAMPLES)(
    'find what they are for, and let its neighbor pass: %s (KIT-04)',
    (rule, found, passes) => {
      expect(findOf(rule, found).length).toBeGreaterThan(0);
      expect(findOf(rule, passes)).toEqual([]);
    },
  );
});

describe('hidden-characters', () => {
  it.each([
    ['several variation selectors', '\ufe00\ufe01'],
    ['one behind that of a sign', '❤\ufe0f\u{e0148}'],
    ['one of the supplement behind a letter', 'words\u{e0141}'],
  ])('are found if a text is carried by them: %s (KIT-04)', (_, hidden) => {
    const found = findOf('hidden-characters', tools(buildTool({ description: `Finds tickets ${hidden}` })));
    expect(found).toHaveLength(1);
  });
});

describe('A finding', () => {
  it('says what it is about, where, what is wrong and what to do (KIT-04)', () => {
    const address = {
      type: 'object',
      description: 'Where they live',
      properties: { zip: { type: 'string' } },
    };
    const list = { type: 'array', description: 'Each of their homes', items: address };
    expect(findOf('parameter-description', tools(buildTaking({ homes: list })))).toEqual([
      {
        rule: 'parameter-description',
        severity: 'warning',
        subject: 'tool "find_tickets"',
        path: 'properties.homes.items.properties.zip',
        found: 'has a parameter without a description',
        fix: 'Describe its meaning, its format and unit, and its default',
      },
    ]);
  });

  it.each([
    ['a reference', { $ref: '#/$defs/address' }],
    ['an alternative', { anyOf: [{ $ref: '#/$defs/address' }, { type: 'null' }] }],
  ])('is made of what stands behind %s (KIT-04)', (_, address) => {
    const $defs = { address: { type: 'object', properties: { zip: { type: 'string' } } } };
    const tool = buildTaking({ address: { ...address, description: 'Where they live' } }, { $defs });
    expect(findOf('parameter-description', tools(tool))).toMatchObject([
      { path: expect.stringMatching(/properties\.zip$/) },
    ]);
  });

  it('shows no character that a terminal obeys, and none that nobody sees (KIT-04)', () => {
    const name = 'a\u001b[31m\u202e\u200b\u{e0041}';
    const { findings, sizes } = lintCatalog(
      tools(buildTool({ name, inputSchema: { properties: { [name]: {} } } })),
    );
    expect(findings.length).toBeGreaterThan(2);
    expect(JSON.stringify([findings, sizes])).not.toMatch(
      /[\u007f-\u009f\u202e\u200b\u{e0041}]|\\u001b(?!\[)/u,
    );
    expect(findings[0]?.subject).toBe('tool "a\\u001b[31m\\u202e\\u{200b}\\u{e0041}"');
  });
});
