import { describe, expect, it } from '@jest/globals';
import { stripBrackets } from '../../../../lib/core/network/host-names.js';

describe('stripBrackets (RFC 3986 §3.2.2)', () => {
  it.each([
    ['[::1]', '::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['127.0.0.1', '127.0.0.1'],
    ['desk.example.com', 'desk.example.com'],
    ['[::1', '[::1'],
    ['::1]', '::1]'],
    ['', ''],
  ])('makes of %j %j (CLI-10, EVT-01)', (host, stripped) => {
    expect(stripBrackets(host)).toBe(stripped);
  });
});
