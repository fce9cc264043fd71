import { describe, expect, it } from '@jest/globals';
import { findUrl } from '../../../../lib/core/oauth/secure-url.js';

describe('findUrl (URL Standard §4.4)', () => {
  it('reads a URL, also one that is relative to another (SAFE-01)', () => {
    expect(findUrl('https://desk.example.com/mcp')?.pathname).toBe('/mcp');
    expect(findUrl('../a', 'https://desk.example.com/mcp/b')?.href).toBe('https://desk.example.com/a');
  });

  it('gives nothing for what is none, however often it is asked (SAFE-01)', () => {
    const text = Buffer.from('https://\xca\xaf', 'latin1').toString('latin1');
    const found = Array.from({ length: 20_000 }, () => findUrl(text));
    expect(found.filter((url) => url !== undefined)).toEqual([]);
    expect(findUrl('desk')).toBeUndefined();
  });
});
