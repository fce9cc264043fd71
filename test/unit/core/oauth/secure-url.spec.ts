import { describe, expect, it } from '@jest/globals';
import { isHostName, isLoopbackUrl, isSecureUrl } from '../../../../lib/core/oauth/secure-url.js';

describe('isSecureUrl', () => {
  it.each([
    'https://login.example.com',
    'https://login.example.com:8443/keys?a=b',
    'HTTPS://LOGIN.example.com',
    'http://localhost:3000/keys',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://keycloak.localhost:8080/realms/desk',
    'http://a.b.localhost.',
  ])('lets keys travel by %s (AUTH-04)', (url) => {
    expect(isSecureUrl(url)).toBe(true);
  });

  it.each([
    'http://login.example.com',
    'http://localhost.evil.example',
    'http://evillocalhost',
    'http://keycloak:8080',
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

describe('Hosts that are named for plain "http"', () => {
  const HOSTS = ['keycloak', '10.0.0.7', '[fd00::1]'];

  it.each(['http://keycloak:8080/realms/desk', 'http://KEYCLOAK', 'http://10.0.0.7', 'http://[fd00::1]:80'])(
    'let keys travel by %s (PEER-04)',
    (url) => {
      expect(isSecureUrl(url, HOSTS)).toBe(true);
    },
  );

  it.each([
    'http://keycloak.example.com',
    'http://keycloak@evil.example',
    'http://evil.example/keycloak',
    'http://10.0.0.70',
    'ftp://keycloak',
  ])('let none travel by %s (PEER-04)', (url) => {
    expect(isSecureUrl(url, HOSTS)).toBe(false);
  });

  it.each([
    ['keycloak', true],
    ['login.example.com', true],
    ['[::1]', true],
    ['keycloak:8080', false],
    ['http://keycloak', false],
    ['keycloak/realms', false],
    ['Keycloak', false],
    ['*', false],
    ['', false],
    [5, false],
  ])('are written as URLs have them: %j is %j', (host, isHost) => {
    expect(isHostName(host)).toBe(isHost);
  });
});

describe('isLoopbackUrl', () => {
  it.each([
    ['https://localhost/mcp', true],
    ['http://127.0.0.1:3000', true],
    ['http://[::1]', true],
    ['http://LOCALHOST', true],
    ['http://desk.localhost:3000', true],
    ['https://desk.example.com', false],
    ['http://localhost.example.com', false],
    ['http://192.168.0.1', false],
  ])('tells whether %s leads to this machine: %j', (url, isLoopback) => {
    expect(isLoopbackUrl(url)).toBe(isLoopback);
  });
});
