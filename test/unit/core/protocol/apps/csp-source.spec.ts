import { describe, expect, it } from '@jest/globals';
import { allowsUrl, findSourceProblem } from '../../../../../lib/core/protocol/apps/csp-source.js';

const allows = (source: string, url: string) => allowsUrl([source], new URL(url));

describe('An origin of a policy (CSP Level 3, "Match URLs")', () => {
  it.each([
    ['https://a.example.com', 'https://a.example.com/x?y', true],
    ['https://A.Example.com/', 'https://a.example.com/', true],
    ['https://a.example.com', 'https://b.example.com/', false],
    ['https://a.example.com', 'https://xa.example.com/', false],
    ['https://a.example.com', 'https://a.example.com.evil.test/', false],
    ['https://*.example.com', 'https://a.b.example.com/', true],
    ['https://*.example.com', 'https://example.com/', false],
    ['https://*.example.com', 'https://evilexample.com/', false],
    ['https://a.example.com', 'http://a.example.com/', false],
    ['http://a.example.com', 'https://a.example.com/', true],
    ['https://a.example.com', 'wss://a.example.com/', false],
    ['wss://a.example.com', 'wss://a.example.com/', true],
    ['ws://a.example.com', 'wss://a.example.com/', true],
    ['https://a.example.com', 'https://a.example.com:8443/', false],
    ['https://a.example.com:8443', 'https://a.example.com:8443/', true],
    ['https://a.example.com:8443', 'https://a.example.com/', false],
    ['http://localhost:*', 'http://localhost:5173/', true],
    ['http://[::1]:3000', 'http://[::1]:3000/x', true],
    ['not an origin', 'https://a.example.com/', false],
  ])('%s lets %s be loaded: %s', (source, url, expected) => {
    expect(allows(source, url)).toBe(expected);
  });

  it('is one of several', () => {
    const sources = ['https://a.example.com', 'https://b.example.com'];
    expect(allowsUrl(sources, new URL('https://b.example.com/'))).toBe(true);
    expect(allowsUrl([], new URL('https://b.example.com/'))).toBe(false);
  });

  it.each([
    'https://a.example.com',
    'https://*.example.com',
    'https://a.example.com/',
    'https://127.0.0.1:3000',
  ])('can be %s', (source) => {
    expect(findSourceProblem(source, ['https'])).toBeUndefined();
  });

  it.each([
    ['', 'must be an origin such as "https://api.example.com"'],
    [7, 'must be an origin such as "https://api.example.com"'],
    ['a.example.com', 'without a path'],
    ['https://a.example.com/x', 'without a path'],
    ['https://a.example.com b', 'without a path'],
    ["'none'", 'without a path'],
    ['http://a.example.com', 'must start with "https://"'],
  ])('cannot be %j', (source, says) => {
    expect(findSourceProblem(source, ['https'])).toContain(says);
  });
});
