import { describe, expect, it } from '@jest/globals';
import { KeyedMutex } from '../../../../lib/core/async/concurrency.js';
import { Gate } from '../../../support/applications/gate.js';

describe('Turns', () => {
  it('are taken one after another, in the order of coming (CLI-14, TASK-02)', async () => {
    const turns = new KeyedMutex();
    const gate = new Gate();
    const done: string[] = [];
    const first = turns.run('desk', () => gate.pass().then(() => void done.push('first')));
    const second = turns.run('desk', async () => void done.push('second'));
    const other = turns.run('lamp', async () => void done.push('other'));
    await other;
    expect(done).toEqual(['other']);
    gate.open();
    await Promise.all([first, second]);
    expect(done).toEqual(['other', 'first', 'second']);
  });

  it('go on after one that fails (CLI-14, TASK-02)', async () => {
    const turns = new KeyedMutex();
    const failing = turns.run('desk', () => Promise.reject(new Error('no')));
    const next = turns.run('desk', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('keep their order where one is given up (CLI-14)', async () => {
    const turns = new KeyedMutex();
    const gate = new Gate();
    const first = turns.run('desk', () => gate.pass());
    const givenUp = turns.run(
      'desk',
      () => Promise.resolve('never'),
      () => Promise.reject(new Error('too late')),
    );
    let isReached = false;
    const third = turns.run('desk', async () => void (isReached = true));
    await expect(givenUp).rejects.toThrow('too late');
    expect(isReached).toBe(false);
    gate.open();
    await Promise.all([first, third]);
    expect(isReached).toBe(true);
  });
});
