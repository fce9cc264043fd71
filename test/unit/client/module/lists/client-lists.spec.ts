import { beforeEach, describe, expect, it } from '@jest/globals';
import { ListCache, type FetchedList } from '../../../../../lib/client/module/lists/client-lists.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A list whose fetches end when the test says so. */
class SlowList {
  fetches = 0;
  nowMs = 0;
  answer: Omit<FetchedList<number>, 'items'> = { ttlMs: undefined, isNotified: false };
  readonly #waiting: (() => void)[] = [];
  readonly cache = new ListCache<number>(
    () => this.#fetch(),
    () => this.nowMs,
  );

  /** Gets the list, and lets the fetches end that it takes. */
  async get(): Promise<readonly number[]> {
    const list = this.cache.get();
    this.finish();
    return list;
  }

  finish(): void {
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }

  async #fetch(): Promise<FetchedList<number>> {
    this.fetches += 1;
    const items = [this.fetches];
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { items, ...this.answer };
  }
}

describe('ListCache', () => {
  let list: SlowList;

  beforeEach(() => {
    list = new SlowList();
  });

  it('fetches each time where the server neither tells of changes nor says how long (CLI-18)', async () => {
    expect(await list.get()).toEqual([1]);
    expect(await list.get()).toEqual([2]);
  });

  it('keeps a list until it is told of a change (CLI-18)', async () => {
    list.answer = { ttlMs: undefined, isNotified: true };
    await list.get();
    list.nowMs = 10 * DAY_MS;
    expect(await list.get()).toEqual([1]);
    list.cache.invalidate();
    expect(list.fetches).toBe(1);
    expect(await list.get()).toEqual([2]);
  });

  it('keeps a list for as long as the server says, and not longer (CLI-18)', async () => {
    list.answer = { ttlMs: 100, isNotified: true };
    await list.get();
    list.nowMs = 99;
    expect(await list.get()).toEqual([1]);
    list.nowMs = 100;
    expect(await list.get()).toEqual([2]);
  });

  it.each([0, -1])('keeps no list that is stale when it comes: ttlMs %d (CLI-18)', async (ttlMs) => {
    list.answer = { ttlMs, isNotified: true };
    await list.get();
    expect(await list.get()).toEqual([2]);
  });

  it('keeps no list for more than a day, whatever the server says (CLI-18)', async () => {
    list.answer = { ttlMs: Number.MAX_SAFE_INTEGER, isNotified: false };
    await list.get();
    list.nowMs = DAY_MS;
    expect(await list.get()).toEqual([2]);
  });

  it('goes stale before its time when it changes (CLI-18)', async () => {
    list.answer = { ttlMs: 100, isNotified: true };
    await list.get();
    list.cache.invalidate();
    expect(await list.get()).toEqual([2]);
  });

  it('shares one fetch among all who ask at once (CLI-18)', async () => {
    const lists = [list.cache.get(), list.cache.get()];
    list.finish();
    expect(await Promise.all(lists)).toEqual([[1], [1]]);
    expect(list.fetches).toBe(1);
  });

  it('keeps no list that changed while it was fetched, and shares its fetch with nobody who asks after that (CLI-18)', async () => {
    list.answer = { ttlMs: undefined, isNotified: true };
    const before = list.cache.get();
    list.cache.invalidate();
    const after = list.cache.get();
    list.finish();
    expect(await before).toEqual([1]);
    expect(await after).toEqual([2]);
    expect(await list.get()).toEqual([2]);
  });

  it('fetches again after a fetch that failed (CLI-18)', async () => {
    let isBroken = true;
    const cache = new ListCache<number>(async () => {
      if (isBroken) throw new Error('no luck');
      return { items: [1], ttlMs: 100, isNotified: false };
    });
    await expect(cache.get()).rejects.toThrow('no luck');
    isBroken = false;
    await expect(cache.get()).resolves.toEqual([1]);
  });
});
