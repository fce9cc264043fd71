import { describe, expect, it } from '@jest/globals';
import { isSameAudience } from '../../../../lib/core/oauth/audience.js';

const DESK = 'https://desk.example.com/mcp';

describe('isSameAudience (RFC 8707 §2)', () => {
  it.each([
    [DESK, DESK],
    [DESK, `${DESK}/`],
    [`${DESK}/`, DESK],
    [DESK, 'HTTPS://DESK.Example.com/mcp'],
    [DESK, 'https://desk.example.com:443/mcp'],
    ['http://127.0.0.1:80/mcp', 'http://127.0.0.1/mcp'],
    ['https://desk.example.com', 'https://desk.example.com/'],
    ['http://[::1]:3000/mcp', 'http://[::1]:3000/mcp/'],
    [`${DESK}?tenant=1`, `${DESK}/?tenant=1`],
    ['api://desk', 'api://desk'],
    ['desk', 'desk'],
  ])('takes %s and %s for the same (AUTH-07)', (expected, found) => {
    expect(isSameAudience(expected, found)).toBe(true);
  });

  it.each([
    [DESK, 'http://desk.example.com/mcp'],
    [DESK, 'https://desk.example.com'],
    [DESK, `${DESK}//`],
    [DESK, `${DESK}/more`],
    [DESK, 'https://desk.example.com/MCP'],
    [DESK, 'https://desk.example.com:8443/mcp'],
    [DESK, 'https://desk.example.com.evil.example/mcp'],
    [DESK, 'https://desk.example.com@evil.example/mcp'],
    [DESK, 'https://user@desk.example.com/mcp'],
    [DESK, `${DESK}?tenant=1`],
    [`${DESK}?tenant=1`, `${DESK}?tenant=2`],
    [DESK, `${DESK}#part`],
    [DESK, ` ${DESK}`],
    [DESK, 'https://desk.example.com/other/../mcp'],
    [DESK, 'https://desk.example.com/%6Dcp'],
    [DESK, String.raw`https://desk.example.com\mcp`],
    [DESK, 'https://desk.ex\u0430mple.com/mcp'],
    [DESK, `${DESK}\t`],
    [DESK, ''],
    [DESK, 'https://'],
    ['api://desk', 'api://desk/'],
    ['desk', 'Desk'],
    ['', '/'],
  ])('takes %s and %s for two (AUTH-07)', (expected, found) => {
    expect(isSameAudience(expected, found)).toBe(false);
    expect(isSameAudience(found, expected)).toBe(false);
  });
});
