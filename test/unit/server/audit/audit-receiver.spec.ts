import { describe, expect, it } from '@jest/globals';
import { estimateHeap } from '../../../../lib/server/audit/audit-receiver.js';

describe('estimateHeap', () => {
  const empty = estimateHeap({});

  it('counts texts, with two bytes for each character once one is not of ASCII (OPS-03)', () => {
    expect(estimateHeap({ text: 'a'.repeat(10_000) }) - empty).toBeGreaterThanOrEqual(10_000);
    expect(estimateHeap({ text: 'ä'.repeat(10_000) }) - empty).toBeGreaterThanOrEqual(20_000);
  });

  it('counts what is inside of objects, lists, maps and sets, and bytes (OPS-03)', () => {
    const text = 'a'.repeat(1000);
    const parts = { a: [text, { b: text }], c: new Map([[text, text]]), d: new Set([text]) };
    expect(estimateHeap({ arguments: parts }) - empty).toBeGreaterThanOrEqual(5000);
    expect(estimateHeap({ bytes: Buffer.alloc(50_000) }) - empty).toBeGreaterThanOrEqual(50_000);
  });

  it('counts many small values for more than their text (OPS-03)', () => {
    const many = Array.from({ length: 1000 }, () => ({}));
    expect(estimateHeap({ many }) - empty).toBeGreaterThan(50_000);
  });

  it('ends with what contains itself (OPS-03)', () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(estimateHeap(loop)).toBeGreaterThan(0);
    expect(estimateHeap(loop)).toBeLessThan(estimateHeap({ self: { self: {} } }));
  });

  it('never throws, whatever is shown (OPS-03)', () => {
    const fail = (): never => {
      throw new Error('gone');
    };
    const broken = new Proxy({}, { ownKeys: fail, getPrototypeOf: fail });
    const lazy = Object.defineProperty({}, 'text', { get: fail, enumerable: true });
    expect(estimateHeap({ broken, lazy })).toBeGreaterThan(empty);
  });
});
