import { describe, expect, it } from '@jest/globals';
import { isLoopbackUrl, isSecureUrl } from '../../../../lib/core/oauth/secure-url.js';

describe('isSecureUrl', () => {
  it.each([
    'https://login.example.com',
    'https://login.example.com:8443/keys?a=b',
    'HTTPS://LOGIN.example.com',
    'http://localhost:3000/keys',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
  ])('lets keys travel by %s (AUTH-04)', (url) => {
    expect(isSecureUrl(url)).toBe(true);
  });

  it.each([
    'http://login.example.com',
    'http://localhost.evil.example',
    'http://localhost@evil.example',
    'http://127.0.0.1.evil.example',
    'http://10.0.0.1/keys',
    'http://0.0.0.0/keys',
    'ftp://localhost/keys',
    'file:///etc/passwd',
    'data:application/json,{}',
    'javascript:alert(1)',
    '//login.example.com',
    '/keys',
    '',
    undefined,
    null,
    5,
    { href: 'https://login.example.com' },
    new URL('https://login.example.com'),
    ['https://login.example.com'],
  ])('lets none travel by %j (AUTH-04)', (url) => {
    expect(isSecureUrl(url)).toBe(false);
  });
});

describe('isLoopbackUrl', () => {
  it.each([
    ['https://localhost/mcp', true],
    ['http://127.0.0.1:3000', true],
    ['http://[::1]', true],
    ['http://LOCALHOST', true],
    ['https://desk.example.com', false],
    ['http://localhost.example.com', false],
    ['http://192.168.0.1', false],
  ])('tells whether %s leads to this machine: %j', (url, isLoopback) => {
    expect(isLoopbackUrl(url)).toBe(isLoopback);
  });
});
