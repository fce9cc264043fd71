import { describe, expect, it } from '@jest/globals';
import { CachedPromise } from '../../../../lib/core/async/promises.js';
import { Gate } from '../../../support/applications/gate.js';

/** Does its work as often as it is asked to, and counts that. */
class Worker {
  times = 0;
  gate = new Gate();
  fault: Error | undefined;
  readonly kept = new CachedPromise(async () => {
    this.times += 1;
    const { times, gate, fault } = this;
    await gate.pass();
    if (fault !== undefined) throw fault;
    return `result ${times}`;
  });
}

describe('KeptPromise', () => {
  it('does its work once, for all who ask while it is done and afterwards (CLI-14, OBO-01)', async () => {
    const worker = new Worker();
    expect(worker.kept.current).toBeUndefined();
    const results = [worker.kept.get(), worker.kept.get()];
    worker.gate.open();
    expect(await Promise.all([...results, worker.kept.get()])).toEqual(Array(3).fill('result 1'));
    expect(worker.times).toBe(1);
    expect(await worker.kept.current).toBe('result 1');
  });

  it('tells all who wait of a failure, after which the next has it done again (CLI-14, OBO-01)', async () => {
    const worker = new Worker();
    worker.fault = new Error('no');
    const results = [worker.kept.get(), worker.kept.get()];
    worker.gate.open();
    for (const result of results) await expect(result).rejects.toThrow('no');
    expect(worker.kept.current).toBeUndefined();
    worker.fault = undefined;
    expect(await worker.kept.get()).toBe('result 2');
  });

  it('lets who learns of a failure ask again at once (CLI-14, OBO-01)', async () => {
    const worker = new Worker();
    worker.fault = new Error('no');
    const again = worker.kept.get().catch(() => {
      worker.fault = undefined;
      return worker.kept.get();
    });
    worker.gate.open();
    expect(await again).toBe('result 2');
  });

  it('does its work again once it was told to forget (CLI-14, OBO-01)', async () => {
    const worker = new Worker();
    const first = worker.kept.get();
    worker.kept.forget();
    const second = worker.kept.get();
    worker.gate.open();
    expect(await Promise.all([first, second])).toEqual(['result 1', 'result 2']);
  });

  it('keeps what was begun since, should that fail which it was told to forget (CLI-14, OBO-01)', async () => {
    const worker = new Worker();
    worker.fault = new Error('no');
    const { gate } = worker;
    const first = worker.kept.get();
    worker.kept.forget();
    worker.fault = undefined;
    worker.gate = new Gate();
    const second = worker.kept.get();
    gate.open();
    await expect(first).rejects.toThrow('no');
    expect(worker.kept.current).toBe(second);
    worker.gate.open();
    expect(await worker.kept.get()).toBe('result 2');
  });
});
