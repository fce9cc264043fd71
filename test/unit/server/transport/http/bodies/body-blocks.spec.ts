import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BLOCK_BYTES, BodyBlocks } from '../../../../../../lib/server/transport/http/bodies/request-body.js';

const PIECES = fc.array(fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)));

describe('BodyBlocks', () => {
  it('gives what came, in whatever pieces (HTTP-07)', () => {
    const property = fc.property(PIECES, fc.nat({ max: 500 }), (pieces, announced) => {
      const blocks = new BodyBlocks(announced);
      for (const piece of pieces) blocks.add(piece);
      expect(blocks.join().toString('hex')).toBe(Buffer.concat(pieces).toString('hex'));
      expect(blocks.size).toBe(Buffer.concat(pieces).length);
    });
    fc.assert(property);
  });

  it('puts pieces together across the ends of its blocks (HTTP-07)', () => {
    const body = Buffer.from(Array.from({ length: 3 * BLOCK_BYTES }, (_, index) => index % 251));
    const blocks = new BodyBlocks(Infinity);
    for (let start = 0; start < body.length; start += 40_000)
      blocks.add(body.subarray(start, start + 40_000));
    expect(blocks.join().equals(body)).toBe(true);
  });

  it('takes no more than was announced (FAIR-02)', () => {
    const blocks = new BodyBlocks(10);
    for (const byte of 'as long as') blocks.add(Buffer.from(byte));
    expect(blocks.join().buffer.byteLength).toBe(10);
  });

  it('takes a block at a time if nothing was announced (FAIR-02)', () => {
    const blocks = new BodyBlocks(Infinity);
    blocks.add(Buffer.from('x'));
    expect(blocks.join().buffer.byteLength).toBe(BLOCK_BYTES);
  });
});
