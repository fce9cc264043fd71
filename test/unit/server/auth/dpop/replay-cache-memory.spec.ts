import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LocalReplayCache, type ProofUse } from '../../../../../lib/server/auth/dpop/replay-cache.js';
import { HeapCost, MemoryLimitError } from '../../../../../lib/server/memory/memory-limits.js';
import { MemoryBudget } from '../../../../../lib/server/memory/memory-budget.js';
import { buildServerSettings } from '../../../../../lib/server/settings/server-settings.js';

const START_MS = 1_800_000_000_000;
const now = () => Date.now() / 1000;

describe('LocalReplayCache (RFC 9449 §11.1)', () => {
  let memory: MemoryBudget;
  let used: LocalReplayCache;
  let next = 0;

  beforeEach(() => {
    jest.useFakeTimers({ now: START_MS, doNotFake: ['performance'] });
    memory = createBudget(64 * 1024 * 1024);
    used = new LocalReplayCache(memory, 300);
  });
  afterEach(() => {
    used.close();
    memory.onApplicationShutdown();
    jest.useRealTimers();
  });

  const use = (parts: Partial<ProofUse> = {}): boolean =>
    used.use({ caller: 'ada', thumbprint: 'key', jti: `${(next += 1)}`, iat: now(), ...parts });
  const pass = (seconds: number) => jest.advanceTimersByTime(seconds * 1000);

  it('knows a proof that was used, by its key and its id (XTN-03)', () => {
    expect([use({ jti: 'a' }), use({ jti: 'a' })]).toEqual([true, false]);
    expect(use({ jti: 'b' })).toBe(true);
    expect(use({ jti: 'a', thumbprint: 'other' })).toBe(true);
  });

  it('knows it as long as it would be taken, and takes none that is older (XTN-03)', () => {
    const iat = now() - 290.5;
    expect(use({ jti: 'a', iat })).toBe(true);
    pass(9);
    expect(use({ jti: 'a', iat })).toBe(false);
    pass(3);
    expect(use({ jti: 'a', iat })).toBe(false);
    expect(use({ jti: 'b', iat: now() - 299.5 })).toBe(true);
  });

  it('knows one of the future until then, and beyond (XTN-03)', () => {
    const iat = now() + 299;
    expect(use({ jti: 'a', iat })).toBe(true);
    pass(590);
    expect(use({ jti: 'a', iat })).toBe(false);
  });

  it('takes none twice where the clock is set back (XTN-03)', () => {
    const iat = now();
    expect(use({ jti: 'a', iat })).toBe(true);
    pass(400);
    expect(use()).toBe(true);
    jest.setSystemTime(START_MS + 10_000);
    expect(use({ jti: 'a', iat })).toBe(false);
  });

  it('gives back the memory of whoever does not come again (XTN-03) (FAIR-02)', () => {
    for (const caller of ['ada', 'bob']) expect(use({ caller })).toBe(true);
    expect([used.size, memory.callers]).toEqual([2, 2]);
    pass(700);
    expect([used.size, memory.used]).toEqual([0, 0]);
  });

  it('keeps no more of a caller than it may, and no time for the oldest then (XTN-03) (FAIR-02)', () => {
    const first = now();
    expect(use({ jti: 'first', iat: first })).toBe(true);
    pass(1);
    for (let count = 0; count < 20_000; count += 1) use();
    expect(used.size).toBe(20_000);
    expect(use({ jti: 'first', iat: first })).toBe(false);
    expect(use({ iat: first })).toBe(false);
    // Others are none the worse for it.
    expect(use({ caller: 'bob', iat: first })).toBe(true);
    pass(1);
    expect(use()).toBe(true);
  });

  it('refuses nobody else of a caller who dates proofs ahead (XTN-03) (FAIR-02)', () => {
    const ahead = now() + 290;
    for (let count = 0; count < 20_000; count += 1) use({ thumbprint: 'k2', iat: ahead });
    expect(() => use({ thumbprint: 'k2', iat: ahead })).toThrow(MemoryLimitError);
    // Another client of the same caller has a key of its own.
    expect(use({ thumbprint: 'k1' })).toBe(true);
  });

  it('takes memory of its caller alone, and makes do with what there is (XTN-03) (FAIR-02)', () => {
    memory = createBudget(HeapCost.usedProof * 4);
    used = new LocalReplayCache(memory, 300);
    const first = now();
    for (let count = 0; count < 3; count += 1) {
      expect(use({ iat: first + count })).toBe(true);
    }
    expect(use({ jti: 'last', iat: first + 3 })).toBe(true);
    expect(used.size).toBe(3);
    expect(use({ iat: first })).toBe(false);
    expect(use({ jti: 'last', iat: first + 3 })).toBe(false);
  });
});

function createBudget(bytes: number): MemoryBudget {
  const settings = buildServerSettings({ serverInfo: { name: 'desk', version: '1.0.0' } });
  return new MemoryBudget({ memory: { ...settings.memory, maxBytesPerCaller: bytes } });
}
