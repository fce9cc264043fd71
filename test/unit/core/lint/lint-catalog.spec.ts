import { describe, expect, it } from '@jest/globals';
import { lintCatalog } from '../../../../lib/core/lint/lint-catalog.js';
import type { ListedCatalog } from '../../../../lib/core/lint/read-catalog.js';
import { buildTaking, buildTool } from './good-catalog.js';

const UNTITLED = { tools: [buildTool({ title: undefined, description: undefined })] };

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`filter_${index}_by`, { type: 'string' }]));

/** Nested as deeply as JSON can be read. */
function nest(depth: number, keyword: string): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = { type: 'object', [keyword]: { a: schema } };
  return schema;
}

describe('lintCatalog()', () => {
  it('tells the worst first (KIT-04)', () => {
    const severities = lintCatalog(UNTITLED).findings.map(({ severity }) => severity);
    expect(severities).toEqual(['error', 'advice']);
  });

  it('takes rules as they are wished, and leaves those out that are off (KIT-04)', () => {
    const rules = { 'tool-title': 'error', 'tool-description': 'off' } as const;
    const { findings } = lintCatalog(UNTITLED, { rules });
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['tool-title', 'error']]);
  });

  it('refuses a rule that there is not, and says which one may be meant (KIT-04)', () => {
    expect(() => lintCatalog({}, { rules: { 'tool-titel': 'off' } })).toThrow(
      'There is no rule "tool-titel": did you mean "tool-title"?',
    );
  });

  it('measures each tool and the list, and compares it with what is wished (KIT-04)', () => {
    const small = buildTool({ name: 'small' });
    const large = buildTool({ name: 'large', description: 'Finds tickets by their words. '.repeat(30) });
    const { sizes, tokens, findings } = lintCatalog({ tools: [small, large] }, { maxTokens: 100 });
    expect(sizes.map(({ name }) => name)).toEqual(['"large"', '"small"']);
    expect(sizes.reduce((sum, size) => sum + (size.tokens ?? 0), 0)).toBe(tokens);
    expect(findings.map(({ rule }) => rule)).toContain('list-tokens');
  });

  it.each<ListedCatalog>([
    {},
    { tools: [] },
    { tools: [null, 7, 'tool', [], {}] },
    { tools: [{ name: { toString: 1, valueOf: 1 } }, {}, {}] },
    { tools: [{ name: {}, description: [], inputSchema: 'x', annotations: null }] },
    { tools: [{ name: 'a', inputSchema: { type: 'object', properties: [], required: {} } }] },
    { tools: [{ name: 'a', inputSchema: { properties: { a: null, b: true }, required: [null] } }] },
    { prompts: [{ name: 1, arguments: [null, {}] }], resources: [null], resourceTemplates: ['x'] },
    { instructions: 7, tools: [{ name: '\u0000' }] },
  ])('judges what is no catalog of the protocol: %j (KIT-04)', (catalog) => {
    expect(lintCatalog(catalog).isWhole).toBe(true);
  });

  it.each(['properties', 'anyOf', 'x'])(
    'judges what is nested by "%s" as deeply as can be (KIT-04)',
    (keyword) => {
      const tool = buildTool({ inputSchema: nest(20_000, keyword) });
      const { findings, sizes } = lintCatalog({ tools: [tool] });
      expect(findings.map(({ rule }) => rule)).toContain('deep-nesting');
      expect(sizes).toEqual([{ name: '"find_tickets"', tokens: undefined }]);
    },
  );

  it('reads a schema that leads back to itself once (KIT-04)', () => {
    const inputSchema = {
      type: 'object',
      properties: { node: { $ref: '#', description: 'A node in a tree' } },
    };
    const { findings } = lintCatalog({ tools: [buildTool({ inputSchema })] });
    expect(findings.map(({ rule, path: place }) => [rule, place])).toEqual([
      ['host-keyword', 'properties.node'],
    ]);
  });

  it('judges a part of what is too much, and says so (KIT-04)', () => {
    const listed = Array.from({ length: 3_000 }, (_, index) => ({
      name: `tool ${index}`,
      description: 'x '.repeat(500),
    }));
    const { findings, sizes, isWhole } = lintCatalog({ tools: listed });
    expect([isWhole, sizes.length]).toEqual([false, 2_000]);
    expect(findings.filter(({ rule }) => rule === 'host-name')).toHaveLength(500);
    expect(lintCatalog({ tools: [], isCut: true }).isWhole).toBe(false);
  });

  it.each([
    ['with more parameters than are read', buildTaking(many(3_000))],
    ['with objects deeper than are read', buildTool({ inputSchema: nest(40, 'properties') })],
    ['that requires more than is read', buildTaking({}, { required: Object.keys(many(3_000)) })],
  ])('says that it judged a part of a tool %s (KIT-04)', (_, tool) => {
    expect(lintCatalog({ tools: [tool] }).isWhole).toBe(false);
  });

  it('judges all of a tool that is large, and of one that leads back to itself (KIT-04)', () => {
    const listed = [buildTaking(many(1_900)), buildTaking({ node: { $ref: '#' } })];
    expect(lintCatalog({ tools: listed }).isWhole).toBe(true);
  });

  it('reads no parameters once it has read as many as it takes of all tools (KIT-04)', () => {
    const listed = Array.from({ length: 30 }, (_, index) =>
      buildTaking(many(1_900), { title: String(index), required: ['missing'] }),
    );
    const { findings, isWhole } = lintCatalog({ tools: listed });
    expect(isWhole).toBe(false);
    expect(findings.filter(({ rule }) => rule === 'too-many-parameters')).toHaveLength(27);
  });
});
