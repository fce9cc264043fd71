import { describe, expect, it } from '@jest/globals';
import { Observers } from '../../../../lib/core/log/observers.js';

describe('Observers', () => {
  function observe() {
    const lines: string[] = [];
    return { lines, observers: new Observers({ error: (line) => void lines.push(line) }) };
  }

  it('gives what an observer returns (OPS-01)', () => {
    const { observers, lines } = observe();
    expect(observers.run('A tracer', () => 7)).toBe(7);
    expect(lines).toEqual([]);
  });

  it('survives one that throws, and says so once a minute (OPS-01)', () => {
    const { observers, lines } = observe();
    const fail = (): never => {
      throw new Error('disk full\nnow');
    };
    expect(observers.run('A tracer', fail)).toBeUndefined();
    observers.run('A tracer', fail);
    observers.run('A meter', fail);
    expect(lines).toEqual([
      'A tracer failed, but the observed operation continues: disk full\\nnow',
      'A meter failed, but the observed operation continues: disk full\\nnow',
    ]);
  });

  it('survives one that rejects (OPS-01)', async () => {
    const { observers, lines } = observe();
    const failed = observers.run('A tracer', () => Promise.reject(new Error('gone')));
    await expect(failed).rejects.toThrow('gone');
    expect(lines).toEqual(['A tracer failed, but the observed operation continues: gone']);
  });

  it('survives one that recurses without end (OPS-01)', () => {
    const { observers, lines } = observe();
    const recurse = (): number => recurse() + 1;
    expect(observers.run('A tracer', recurse)).toBeUndefined();
    expect(lines).toEqual([expect.stringContaining('Maximum call stack size exceeded')]);
  });

  it('survives what cannot be shown, and a logger that throws (OPS-01)', () => {
    const { lines, observers } = observe();
    const unreadable = {
      get message(): never {
        throw new Error('no');
      },
      toString: () => {
        throw new Error('no');
      },
    };
    observers.run('A tracer', () => {
      throw unreadable;
    });
    expect(lines).toHaveLength(1);
    const silent = new Observers({
      error: () => {
        throw new Error('no log');
      },
    });
    expect(silent.run('A tracer', () => Promise.reject(unreadable))).toBeDefined();
    expect(
      silent.run('A meter', () => {
        throw unreadable;
      }),
    ).toBeUndefined();
  });
});
