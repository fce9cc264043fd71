import { describe, expect, it } from '@jest/globals';
import type { OfferedEntry, OfferKind } from '../../../../lib/core/development/report.js';
import { formatChanges, formatEndpoint, formatEntries, formatUrl } from '../../../../cli/dev/format-offer.js';

const create = (kind: OfferKind, name: string, parts: OfferedEntry['parts'] = {}): OfferedEntry => ({
  kind,
  name,
  parts,
});

const endpoint = {
  host: '127.0.0.1',
  port: 3000,
  isSecure: false,
  path: '/mcp',
  revisions: ['2025-11-25', '2026-07-28'],
  needsToken: true,
  hasExplorer: true,
};

describe('formatEndpoint()', () => {
  it('says where a server is, and what it asks for', () => {
    expect(formatEndpoint('default', { ...endpoint, ssePath: '/sse' })).toEqual([
      'Server at http://127.0.0.1:3000/mcp',
      '  protocol   2025-11-25 to 2026-07-28',
      '  auth       token required',
      '  HTTP+SSE   http://127.0.0.1:3000/sse',
      '  explorer   http://127.0.0.1:3000/mcp in a browser',
    ]);
  });

  it('names one of several servers, and one that is not listening', () => {
    expect(formatEndpoint('admin', undefined)).toEqual(['Server "admin" is not listening']);
  });
});

describe('formatUrl()', () => {
  it.each([
    [{ host: '::' }, 'http://localhost:3000/mcp'],
    [{ host: '0.0.0.0' }, 'http://localhost:3000/mcp'],
    [{ host: '::1' }, 'http://[::1]:3000/mcp'],
    [{ host: '10.0.0.2', isSecure: true }, 'https://10.0.0.2:3000/mcp'],
  ])('gives an address that a browser of this machine can open: %j', (place, url) => {
    expect(formatUrl({ ...endpoint, ...place }, '/mcp')).toBe(url);
  });

  it('gives the path of what listens at a socket of the file system', () => {
    expect(formatUrl({ ...endpoint, host: undefined, port: undefined }, '/mcp')).toBe('/mcp');
  });
});

describe('formatEntries()', () => {
  it('has a line for each kind that there is', () => {
    expect(formatEntries([create('event', 'stock'), create('tool', 'a'), create('tool', 'b')])).toEqual([
      '  tools      a, b',
      '  events     stock',
    ]);
  });

  it('names some of very many', () => {
    const many = Array.from({ length: 2000 }, (_, index) => create('tool', `t${index}`));
    expect(formatEntries(many)).toEqual([expect.stringMatching(/^ {2}tools {6}t0, .*, t11, and 1988 more$/)]);
  });

  it('says that there is nothing', () => {
    expect(formatEntries([])).toEqual(['  No capabilities yet']);
  });

  it('shows nothing that a terminal obeys, and cuts what is long', () => {
    const [line = ''] = formatEntries([create('resource', `note://\u001b[2J\n\u202e${'x'.repeat(500)}`)]);
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    expect(line).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(line.length).toBeLessThan(120);
  });
});

describe('formatChanges()', () => {
  it('tells what came, what went, and of what else which members changed', () => {
    const before = [
      create('tool', 'a', { description: '1', title: '1' }),
      create('tool', 'b'),
      create('prompt', 'c'),
    ];
    const now = [
      create('tool', 'a', { description: '2', inputSchema: '1' }),
      create('prompt', 'b'),
      create('prompt', 'c'),
    ];
    expect(formatChanges(before, now)).toEqual([
      '  ~ changed tool a: description, title, inputSchema',
      '  + added prompt b',
      '  - removed tool b',
    ]);
  });

  it('tells some of very many', () => {
    const many = Array.from({ length: 100 }, (_, index) => create('tool', `t${index}`));
    expect(formatChanges([], many).at(-1)).toBe('    and 70 more');
  });
});
