import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  findHostProblems,
  formatHostProblem,
} from '../../../../../lib/core/protocol/hosts/find-host-problems.js';
import { HOST_RULES, type HostRuleName } from '../../../../../lib/core/protocol/hosts/host-rules.js';

const taking = (property: unknown) => ({ type: 'object', properties: { property } });
const GOOD = { name: 'find', description: 'Finds', inputSchema: taking({ type: 'string' }) };
const within = (property: unknown) => ({ ...GOOD, inputSchema: taking(property) });

/** A tool that each rule finds; one that it must not find stands behind it. */
const EXAMPLES: Readonly<Record<HostRuleName, readonly [refused: object, accepted: object]>> = {
  name: [
    { ...GOOD, name: 'a.b' },
    { ...GOOD, name: 'a-b' },
  ],
  nameStart: [
    { ...GOOD, name: '2nd' },
    { ...GOOD, name: '_2nd' },
  ],
  description: [
    { ...GOOD, description: 'x'.repeat(1_025) },
    { ...GOOD, description: 'x'.repeat(1_024) },
  ],
  rootType: [{ ...GOOD, inputSchema: { properties: {} } }, GOOD],
  rootProperties: [
    { ...GOOD, inputSchema: { type: 'object', additionalProperties: false } },
    { ...GOOD, inputSchema: { type: 'object', properties: {} } },
  ],
  rootKeyword: [{ ...GOOD, inputSchema: { ...GOOD.inputSchema, not: {} } }, within({ not: {} })],
  property: [{ ...GOOD, inputSchema: { type: 'object', properties: { $top: {} } } }, GOOD],
  noItems: [within({ type: 'array' }), within({ type: 'array', items: {} })],
  tupleItems: [
    within({ type: 'array', items: [{}] }),
    within({ type: 'array', items: {}, prefixItems: [{}] }),
  ],
  booleanSchema: [within(true), within({ additionalProperties: true })],
  emptyEnum: [within({ enum: ['', 'a'] }), within({ enum: ['a'] })],
  enumType: [within({ enum: [1, 2] }), within({ enum: ['1', '2'] })],
  const: [within({ const: 'a' }), within({ default: { const: 'a' } })],
  typeList: [within({ type: ['string', 'null'] }), within({ anyOf: [{ type: 'string' }, { type: 'null' }] })],
  unionType: [
    within({ type: 'string', anyOf: [{ minLength: 1 }] }),
    within({ type: 'string', oneOf: [{ minLength: 1 }] }),
  ],
  reference: [within({ $ref: '#' }), within({ $defs: { $ref: { type: 'string' } } })],
  booleanLimit: [within({ exclusiveMinimum: true }), within({ exclusiveMinimum: 1 })],
  outputDialect: [
    { ...GOOD, outputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
    { ...GOOD, outputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema' } },
  ],
};

const find = (tool: object) => findHostProblems(tool as typeof GOOD);

describe.each(Object.entries(EXAMPLES))('the rule "%s" of what hosts refuse', (name, [refused, accepted]) => {
  const { fix, hosts, refused: shown } = HOST_RULES[name as HostRuleName];

  it('finds a tool, names the hosts, and lets others pass (HOST-01)', () => {
    expect(find(refused).map(({ fix: found }) => found)).toEqual([fix]);
    expect(find(refused).map(formatHostProblem)).toEqual([
      expect.stringContaining(`${fix}; refused by ${Object.keys(hosts).join(', ')}`),
    ]);
    expect(find(accepted)).toEqual([]);
  });

  it('stands in docs/schemas.md, each host with its source (HOST-01)', () => {
    const sources = Object.entries(hosts).map(([host, url]) => `[${host}](${url})`);
    const row = readFileSync('docs/schemas.md', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`| ${shown} `));
    expect(row).toContain(`| ${sources.join(', ')} `);
  });
});

describe('docs/schemas.md', () => {
  it('has no row of a rule that there is not (HOST-01)', () => {
    const section = readFileSync('docs/schemas.md', 'utf8')
      .split('## ')
      .find((text) => text.startsWith('Host restrictions'));
    const rows = section?.split('\n').filter((line) => line.startsWith('| ')) ?? [];
    expect(rows).toHaveLength(Object.keys(HOST_RULES).length + 2);
  });
});
