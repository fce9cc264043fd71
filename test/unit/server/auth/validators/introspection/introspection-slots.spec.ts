import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  IntrospectionSlots,
  type IntrospectedToken,
} from '../../../../../../lib/server/auth/validators/introspection/introspection-slots.js';

const TIMEOUT_MS = 5000;
/** As many rounds of questions may wait. */
const PATIENCE_MS = 4 * TIMEOUT_MS;
const MOST_UNKNOWN = 256;
const MOST_OF_ADDRESS = 128;
const MOST_WAITING = 1024;

const KNOWN: IntrospectedToken = { isKnown: true, findAddress: () => undefined };
const from = (address?: string): IntrospectedToken => ({ isKnown: false, findAddress: () => address });

describe('IntrospectionSlots', () => {
  let slots: IntrospectionSlots;
  /** The questions under way, in the order in which they began. */
  let begun: { readonly name: string; readonly answer: () => void }[];
  let refused: string[];
  let errors: unknown[];

  beforeEach(() => {
    jest.useFakeTimers();
    slots = new IntrospectionSlots(TIMEOUT_MS);
    [begun, refused, errors] = [[], [], []];
  });

  afterEach(() => void jest.useRealTimers());

  function ask(name: string, subject: IntrospectedToken = from()): void {
    const act = () => new Promise<void>((resolve) => void begun.push({ name, answer: resolve }));
    slots.run(subject, act).catch((error: unknown) => {
      refused.push(name);
      errors.push(error);
    });
  }

  function askMany(count: number, name: string, subject?: IntrospectedToken): void {
    for (let index = 0; index < count; index += 1) ask(`${name} ${index}`, subject);
  }

  /** Answers the oldest questions. */
  async function answer(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) {
      begun.shift()?.answer();
      await jest.advanceTimersByTimeAsync(0);
    }
  }

  const names = () => begun.map(({ name }) => name);

  it('begin as many at once as there may be, and the others in their order (FAIR-03)', async () => {
    askMany(MOST_UNKNOWN + 94, 'made-up');
    ask('login');
    expect([begun.length, slots.running, slots.isCrowded]).toEqual([MOST_UNKNOWN, MOST_UNKNOWN, true]);
    await answer(94);
    expect(names()).not.toContain('login');
    await answer(1);
    expect([names().at(-1), begun.length, slots.isCrowded]).toEqual(['login', MOST_UNKNOWN, false]);
    expect(refused).toEqual([]);
  });

  it('leave half of the slots to other addresses (FAIR-03)', async () => {
    askMany(350, 'made-up', from('203.0.113.7'));
    expect(begun).toHaveLength(MOST_OF_ADDRESS);
    ask('login', from('203.0.113.8'));
    expect(names().at(-1)).toBe('login');
    ask('neighbor', from('203.0.113.7'));
    // The login is among those that are answered.
    await answer(350 - MOST_OF_ADDRESS + 1);
    expect(names()).not.toContain('neighbor');
    await answer(1);
    expect(names()).toContain('neighbor');
  });

  it('give the next slot to an address that has none, however many others wait (FAIR-03)', async () => {
    for (const address of ['203.0.113.7', '203.0.113.8', '203.0.113.9']) askMany(300, address, from(address));
    expect(begun).toHaveLength(MOST_UNKNOWN);
    ask('login', from('198.51.100.1'));
    // Each of the others may have had its turn before.
    await answer(4);
    expect(names()).toContain('login');
  });

  it('are there for tokens that were active, whatever waits (FAIR-03)', () => {
    askMany(MOST_UNKNOWN + 10, 'made-up');
    askMany(128, 'known', KNOWN);
    expect(begun).toHaveLength(MOST_UNKNOWN + 128);
    expect(names().at(-1)).toBe('known 127');
    ask('one more', KNOWN);
    return Promise.resolve().then(() => expect(refused).toEqual(['one more']));
  });

  it('refuse the latest of the address with the most once too many wait (FAIR-03) (FAIR-09)', async () => {
    askMany(MOST_OF_ADDRESS + MOST_WAITING, 'made-up', from('203.0.113.7'));
    askMany(MOST_OF_ADDRESS + 2, 'login', from('203.0.113.8'));
    await jest.advanceTimersByTimeAsync(0);
    expect(refused).toEqual([
      `made-up ${MOST_OF_ADDRESS + MOST_WAITING - 1}`,
      `made-up ${MOST_OF_ADDRESS + MOST_WAITING - 2}`,
    ]);
    ask('made-up more', from('203.0.113.7'));
    await jest.advanceTimersByTimeAsync(0);
    expect(refused.at(-1)).toBe('made-up more');
  });

  it('refuse a question that waited too long, and none that has begun (FAIR-09)', async () => {
    askMany(MOST_UNKNOWN + 2, 'made-up');
    await jest.advanceTimersByTimeAsync(PATIENCE_MS - 1);
    await answer(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(refused).toEqual([`made-up ${MOST_UNKNOWN + 1}`]);
    const limited = { name: 'AuthUnavailableError', httpStatus: 429, retryAfterSeconds: 1 };
    expect(errors).toEqual([expect.objectContaining(limited)]);
    await jest.advanceTimersByTimeAsync(PATIENCE_MS);
    ask('next');
    await answer(1);
    expect([refused.length, names().at(-1), slots.isCrowded]).toEqual([1, 'next', false]);
  });

  it('are free again after a question that failed', async () => {
    const failing = slots.run(from(), () => Promise.reject(new Error('down')));
    await expect(failing).rejects.toThrow('down');
    askMany(MOST_UNKNOWN, 'made-up');
    expect([begun.length, slots.running]).toEqual([MOST_UNKNOWN, MOST_UNKNOWN]);
  });
});
