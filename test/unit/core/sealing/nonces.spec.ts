import { describe, expect, it } from '@jest/globals';
import { Nonces } from '../../../../lib/core/sealing/nonces.js';

/** More than are drawn at once, several times. */
const MANY = 1000;

describe('Nonces', () => {
  it('have 128 bits each, in base64url (HTTP-03)', () => {
    const nonces = new Nonces();
    const created = Array.from({ length: MANY }, () => nonces.create());
    for (const nonce of created) expect(nonce).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(created.map((nonce) => Buffer.from(nonce, 'base64url').length)).toEqual(created.map(() => 16));
  });

  it('are never the same, of one source or of two (HTTP-03)', () => {
    const sources = [new Nonces(), new Nonces()];
    const created = sources.flatMap((source) => Array.from({ length: MANY }, () => source.create()));
    expect(new Set(created).size).toBe(2 * MANY);
  });

  it('have no bit that is always the same (HTTP-03)', () => {
    const nonces = new Nonces();
    let some = 0n;
    let all = 2n ** 128n - 1n;
    for (let count = 0; count < MANY; count += 1) {
      const bits = BigInt(`0x${Buffer.from(nonces.create(), 'base64url').toString('hex')}`);
      some |= bits;
      all &= bits;
    }
    expect([some, all]).toEqual([2n ** 128n - 1n, 0n]);
  });
});
