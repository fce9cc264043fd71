import { describe, expect, it } from '@jest/globals';
import { isResourceOf } from '../../../../../lib/client/authorization/discovery/resource-metadata.js';

const SERVER = 'https://desk.example.com/mcp?tenant=1';

describe('isResourceOf (RFC 9728 §3.3, RFC 8707 §2)', () => {
  it.each([
    'https://desk.example.com/mcp?tenant=1',
    'https://desk.example.com/mcp',
    'https://desk.example.com/mcp/',
    'https://desk.example.com',
    'HTTPS://DESK.example.com:443/mcp',
  ])('takes %s for what the server is part of (CLI-05)', (resource) => {
    expect(isResourceOf(resource, SERVER)).toBe(true);
  });

  it.each([
    '',
    'desk.example.com/mcp',
    'urn:desk',
    'http://desk.example.com/mcp',
    'https://desk.example.com:8443/mcp',
    'https://www.desk.example.com/mcp',
    'https://desk.example.com.evil.example/mcp',
    'https://someone@desk.example.com/mcp',
    'https://desk.example.com@evil.example/mcp',
    'https://desk.example.com/mcp?tenant=2',
    'https://desk.example.com/mcp#part',
    'https://desk.example.com/mcp#',
    'https://desk.example.com/MCP',
    'https://desk.example.com/mc',
    'https://desk.example.com/mcp/desk',
  ])('takes %j for something else (CLI-05)', (resource) => {
    expect(isResourceOf(resource, SERVER)).toBe(false);
  });

  it('takes no opaque origin for another (CLI-05)', () => {
    expect(isResourceOf('data:x', 'data:x')).toBe(false);
  });
});
