import { describe, expect, it } from '@jest/globals';
import type { AdapterRequest } from '../../../../../lib/server/auth/auth-state.js';
import { normalizeUri, RequestTarget } from '../../../../../lib/server/auth/dpop/request-target.js';

const request = (url: string, parts: Partial<AdapterRequest> = {}): AdapterRequest => ({
  headers: {},
  url,
  ...parts,
});

/** Tells for requests to paths which URLs name them. */
function createTarget(resourceUri: string, path = '/mcp') {
  const target = new RequestTarget({ resourceUri, endpoint: { path } });
  return (url: string, htu: string) => target.matches(htu, request(url));
}

describe('normaliseUri (RFC 3986 §6.2)', () => {
  it.each([
    ['https://desk.example.com/mcp', 'https://desk.example.com/mcp'],
    ['HTTPS://DESK.example.com:443/mcp?a#b', 'https://desk.example.com/mcp'],
    ['http://desk.example.com:80', 'http://desk.example.com/'],
    ['https://desk.example.com:8443/', 'https://desk.example.com:8443/'],
    ['https://desk.example.com/a/./b/../mcp', 'https://desk.example.com/a/mcp'],
    ['https://desk.example.com/%6d%63p%2f%c3%a4', 'https://desk.example.com/mcp%2F%C3%A4'],
    ['https://desk.example.com//mcp', 'https://desk.example.com//mcp'],
    ['http://[::1]:3000/mcp', 'http://[::1]:3000/mcp'],
  ])('gives %s its one form (XTN-03)', (text, expected) => {
    expect(normalizeUri(text)).toBe(expected);
  });

  it.each([
    '',
    'mcp',
    '/mcp',
    '//desk.example.com/mcp',
    'https:desk.example.com/mcp',
    'https:///mcp',
    'https://',
    'https://user@desk.example.com/mcp',
    'https://:x@desk.example.com/mcp',
    String.raw`https://desk.example.com\mcp`,
    String.raw`https:\\desk.example.com/mcp`,
    ' https://desk.example.com/mcp',
    'https://desk.example.com/m\tcp',
    'https://desk.example.com/mcp\n',
    'https://desk.example.com/ä',
    'https://desk.exämple.com/mcp',
    'https://desk.example.com/{mcp}',
    'ftp://desk.example.com/mcp',
    'javascript:alert(1)',
  ])('takes %j for none (XTN-03)', (text) => {
    expect(normalizeUri(text)).toBeUndefined();
  });
});

describe('RequestTarget (RFC 9449 §4.3, 9)', () => {
  it('is the URL by which clients know the endpoint, and what is beside it (XTN-03)', () => {
    const isNamed = createTarget('https://desk.example.com/mcp');
    expect(isNamed('/mcp', 'https://desk.example.com/mcp')).toBe(true);
    expect(isNamed('/mcp?a=b', 'https://desk.example.com/mcp?c')).toBe(true);
    expect(isNamed('/mcp/', 'https://desk.example.com/mcp/')).toBe(true);
    expect(isNamed('/mcp', 'https://desk.example.com/mcp/')).toBe(false);
    expect(isNamed('/mcp/', 'https://desk.example.com/mcp')).toBe(false);
    expect(isNamed('/sse', 'https://desk.example.com/sse')).toBe(true);
    expect(isNamed('/sse', 'https://desk.example.com/mcp')).toBe(false);
    expect(isNamed('http://elsewhere/mcp', 'https://desk.example.com/mcp')).toBe(true);
    expect(isNamed('//evil.example/mcp', 'https://evil.example/mcp')).toBe(false);
  });

  it('has what a proxy cuts off before all that is asked for (XTN-03)', () => {
    const isNamed = createTarget('https://example.com/desk/mcp/');
    expect(isNamed('/mcp', 'https://example.com/desk/mcp')).toBe(true);
    expect(isNamed('/reports/7', 'https://example.com/desk/reports/7')).toBe(true);
    expect(isNamed('/mcp', 'https://example.com/mcp')).toBe(false);
  });

  it('has the path that a proxy puts in the place of the endpoint (XTN-03)', () => {
    const isNamed = createTarget('https://example.com/v1/tools');
    expect(isNamed('/mcp', 'https://example.com/v1/tools')).toBe(true);
    expect(isNamed('/MCP/', 'https://example.com/v1/tools/')).toBe(true);
    expect(isNamed('/mcp', 'https://example.com/mcp')).toBe(false);
    expect(isNamed('/mcpx', 'https://example.com/mcpx')).toBe(true);
    expect(isNamed('/sse', 'https://example.com/sse')).toBe(true);
  });

  it('is below a resource that is known by its root, or rewritten from it (XTN-03)', () => {
    const isNamed = createTarget('https://desk.example.com');
    expect(isNamed('/mcp', 'https://desk.example.com/mcp')).toBe(true);
    expect(isNamed('/mcp', 'https://desk.example.com')).toBe(true);
    expect(isNamed('/mcp', 'https://desk.example.com/other')).toBe(false);
  });

  it('is what was asked for before the application changed it (XTN-03)', () => {
    const target = new RequestTarget({ resourceUri: 'https://a.example/mcp', endpoint: { path: '/mcp' } });
    const changed = [
      request('/changed', { originalUrl: '/mcp?x' }),
      request('/changed', { raw: request('/changed', { originalUrl: '/mcp' }) }),
      request('/changed', { raw: request('/mcp') }),
    ];
    for (const one of changed) expect(target.matches('https://a.example/mcp', one)).toBe(true);
    expect(target.matches('https://a.example/mcp', { headers: {} })).toBe(false);
  });
});
