import { describe, expect, it } from '@jest/globals';
import { foldUri, normalizeUri } from '../../../../lib/core/protocol/normalize-uri.js';

describe('normalizeUri (RFC 3986 §6.2.2)', () => {
  it.each([
    'desk://Ada/b?c=D#e',
    'urn:isbn:1',
    'mailto:a@b',
    'a:b/../c',
    'desk://a/%2F%25',
    'no scheme',
    'desk://a/\ud800',
    '',
  ])('leaves %j as it is (HOST-03)', (uri) => {
    expect(normalizeUri(uri)).toBe(uri);
  });

  it.each([
    ['Desk://Open', 'desk://Open'],
    ['HTTPS://User@Example.COM/A', 'https://User@example.com/A'],
    ['desk://a/%7eb%2d%5f', 'desk://a/~b-_'],
    ['desk://a/%2f%c3%a9', 'desk://a/%2F%C3%A9'],
    ['notes://überblick', 'notes://%C3%BCberblick'],
    ['desk://a/b?q=ü#ü', 'desk://a/b?q=%C3%BC#%C3%BC'],
    ['desk://a/./b/../c', 'desk://a/c'],
    ['desk://a/%2E%2e/../b', 'desk://a/b'],
    ['desk://a/b/..', 'desk://a/'],
    ['desk://a/..', 'desk://a/'],
    ['FILE:///C:/a', 'file:///C:/a'],
  ])('writes %j as %j (HOST-03)', (uri, normal) => {
    expect(normalizeUri(uri)).toBe(normal);
    expect(normalizeUri(normal)).toBe(normal);
  });

  it('writes the host in lower case on demand (HOST-03)', () => {
    expect(foldUri('Desk://Ada@Open/A')).toBe('desk://Ada@open/A');
    expect(foldUri('urn:A')).toBe('urn:A');
  });
});
