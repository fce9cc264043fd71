import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReplayCache } from '../../../../../lib/server/auth/dpop/replay-cache.js';
import { AuthUnavailableError } from '../../../../../lib/server/auth/errors.js';
import { MemoryBudget } from '../../../../../lib/server/memory/memory-budget.js';
import { MemoryLimitError } from '../../../../../lib/server/memory/memory-limits.js';
import type { ClusterFieldSwap } from '../../../../../lib/server/settings/cluster/cluster.interface.js';
import { buildServerSettings } from '../../../../../lib/server/settings/server-settings.js';

const SETTINGS = buildServerSettings({ serverInfo: { name: 'desk', version: '1.0.0' } });

describe('ReplayCache', () => {
  const fields = new Map<string, string | undefined>();
  const swaps: ClusterFieldSwap[] = [];
  let memory: MemoryBudget;
  let isAway = false;
  const registers: ReplayCache[] = [];

  beforeEach(() => {
    memory = new MemoryBudget(SETTINGS);
    isAway = false;
    fields.clear();
    swaps.length = 0;
  });
  afterEach(() => {
    for (const register of registers.splice(0)) register.close();
    memory.onApplicationShutdown();
  });

  const state = {
    swap: async (swap: ClusterFieldSwap) => {
      if (isAway) return undefined;
      swaps.push(swap);
      if (!fields.has(swap.key)) fields.set(swap.key, swap.to);
      return { field: fields.get(swap.key) };
    },
  };

  function create(member: string, isShared = true, budget: Pick<MemoryBudget, 'hold'> = memory): ReplayCache {
    const register = new ReplayCache({
      memory: budget,
      bus: { isShared, member },
      state,
      windowSeconds: 300,
    });
    registers.push(register);
    return register;
  }

  const build = (jti: string) => ({
    caller: 'ada',
    thumbprint: 'key',
    jti,
    iat: Math.floor(Date.now() / 1000),
  });

  it('asks nobody where the server is alone (XTN-03)', () => {
    const register = create('a', false);
    expect([register.use(build('1')), register.use(build('1'))]).toEqual([true, false]);
    expect(swaps).toEqual([]);
  });

  it('has each proof used in one process, once (XTN-03)', async () => {
    const [one, other] = [create('a'), create('b')];
    const uses = [one, other, one].map(async (register) => register.use(build('1')));
    expect(await Promise.all(uses)).toEqual([true, false, false]);
    expect(await other.use(build('2'))).toBe(true);
  });

  it('names a proof by a digest, until it would not be taken any more (XTN-03)', async () => {
    await create('a').use(build('secret-id'));
    const [{ key, expires }] = swaps as [ClusterFieldSwap];
    expect(key).toMatch(/^proof:[\w-]{43}$/);
    expect(expires - Date.now()).toBeGreaterThan(300_000);
    expect(expires - Date.now()).toBeLessThan(320_000);
  });

  it('lets none pass that others cannot be asked about (XTN-03)', async () => {
    isAway = true;
    await expect(create('a').use(build('1'))).rejects.toBeInstanceOf(AuthUnavailableError);
  });

  it('lets none pass that cannot be remembered (XTN-03) (FAIR-02)', () => {
    const { memory: settings } = SETTINGS;
    const full = new MemoryBudget({ memory: { ...settings, maxBytesPerCaller: 1 } });
    expect(() => create('a', false, full).use(build('1'))).toThrow(AuthUnavailableError);
    full.onApplicationShutdown();
  });

  it('says when a caller with too many proofs may come again, and whose fault it is (XTN-03) (FAIR-09)', () => {
    const refuse = (scope: 'caller' | 'process') => ({
      hold: (): never => {
        throw new MemoryLimitError(77, scope);
      },
    });
    const useBy = (scope: 'caller' | 'process') => () => create('a', false, refuse(scope)).use(build('1'));
    const later = { retryAfterSeconds: 77 };
    expect(useBy('caller')).toThrow(expect.objectContaining({ httpStatus: 429, ...later }));
    expect(useBy('process')).toThrow(expect.objectContaining({ httpStatus: 503, ...later }));
  });
});
