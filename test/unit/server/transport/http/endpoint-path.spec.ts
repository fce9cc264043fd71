import { describe, expect, it } from '@jest/globals';
import { ApplicationConfig } from '@nestjs/core';
import type { McpOptions } from '../../../../../lib/server/settings/mcp-options.js';
import { EndpointPath } from '../../../../../lib/server/transport/http/endpoint-path.js';
import { buildSettings } from '../../../support/settings.js';

function createEndpoint(options: Partial<McpOptions> = {}, prefix = ''): EndpointPath {
  const application = new ApplicationConfig();
  application.setGlobalPrefix(prefix);
  return new EndpointPath(buildSettings(options), application);
}

describe('EndpointPath', () => {
  it.each<[Partial<McpOptions>, string, string]>([
    [{}, '', '/mcp'],
    [{}, 'api', '/mcp'],
    [{ mcpPath: '/a/b' }, 'api/', '/a/b'],
    [{ useGlobalPrefix: true }, '', '/mcp'],
    [{ useGlobalPrefix: true }, '/', '/mcp'],
    [{ useGlobalPrefix: true }, 'api', '/api/mcp'],
    [{ useGlobalPrefix: true }, '/api/v1/', '/api/v1/mcp'],
  ])('with %j under the prefix %j is %s (MOD-09)', (options, prefix, path) => {
    expect(createEndpoint(options, prefix).path).toBe(path);
  });

  it('is asked for only when the prefix is known (MOD-09)', () => {
    const application = new ApplicationConfig();
    const endpoint = new EndpointPath(buildSettings({ useGlobalPrefix: true }), application);
    application.setGlobalPrefix('api');
    expect(endpoint.path).toBe('/api/mcp');
  });

  it.each([
    '/mcp',
    '/mcp/',
    '/MCP',
    '/Mcp/',
    '/mcp?x=1',
    '/mcp/?x=1',
    '/mcp?',
    '/mcp?/other',
    '/mcp?a#b?c',
    '/mcp#x',
    '/mcp/#?',
    '/%6dcp',
    '/%6D%63%70?%',
    'http://localhost/mcp',
    'HTTPS://desk.example.com:3000/mcp/?x',
  ])('is what %s asks for (HTTP-01)', (url) => {
    expect(createEndpoint().matches(url)).toBe(true);
  });

  it.each([
    '',
    '/',
    '/mc',
    '/mcp2',
    '/mcp/x',
    '/mcp//',
    '//mcp',
    '/x/mcp',
    '/#/mcp',
    '/mcp%2F',
    '/mcp%',
    '/%6dcp%zz',
    'http://localhost',
    'http://localhost?/mcp',
    'http:///mcp/mcp',
    'ftp://localhost/mcp',
    '/?/mcp',
    '/x?/mcp',
    'mcp',
    '*',
  ])('is not what %j asks for (HTTP-01)', (url) => {
    expect(createEndpoint().matches(url)).toBe(false);
  });

  it('is found whatever case its own path is in (HTTP-01)', () => {
    const endpoint = createEndpoint({ mcpPath: '/API/Mcp' });
    expect(['/API/Mcp', '/api/mcp', '/Api/MCP/?x'].map((url) => endpoint.matches(url))).toEqual([
      true,
      true,
      true,
    ]);
  });
});
