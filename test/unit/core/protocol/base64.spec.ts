import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from '../../../../lib/core/protocol/base64.js';

describe('encodeBase64()', () => {
  it('writes all bytes as Node does, and they are read again', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text)).toEqual(bytes);
      }),
    );
  });

  it('writes more bytes than a call takes arguments', () => {
    const bytes = new Uint8Array(1_000_000).fill(7);
    expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
  });
});

describe('decodeBase64()', () => {
  it('reads what has no padding', () => {
    expect(decodeBase64('WsO8cg')).toEqual(new Uint8Array(Buffer.from('Zür')));
  });

  it.each(['=', 'a', '_-8=', 'ä'])('refuses %j', (text) => {
    expect(() => decodeBase64(text)).toThrow(/encoded|character/);
  });
});
