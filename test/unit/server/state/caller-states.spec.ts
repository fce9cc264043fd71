import { describe, expect, it } from '@jest/globals';
import { StateError } from '../../../../lib/server/context/tool-errors.js';
import { STATE } from '../../../../lib/server/settings/state-options.js';
import { MemoryStateStore } from '../../../../lib/server/state/memory-state-store.js';
import { NamespaceValues } from '../../../../lib/server/state/caller-states.js';
import { StateQuotas } from '../../../../lib/server/state/state-quotas.js';

const bounds = STATE.build({});

function createValues(): NamespaceValues {
  const shares = new StateQuotas({ limits: bounds, isLocal: true, now: Date.now, onEvict: () => undefined });
  const place = { key: 'place', owner: {}, isDefault: true };
  return new NamespaceValues(new MemoryStateStore(shares, bounds.maxBytes), bounds, () => place);
}

function nest(depth: number): unknown {
  let nested: unknown = 1;
  for (let level = 0; level < depth; level += 1) nested = [nested];
  return nested;
}

const circle: Record<string, unknown> = {};
circle['self'] = circle;

describe('NamespaceValues', () => {
  it.each([
    ['undefined', undefined, '"undefined": store a plain value, or delete the key'],
    ['a function', { run: () => 1 }, '"run" is a function'],
    ['a symbol', { of: Symbol('x') }, '"of" is a symbol'],
    ['no number', { rate: Number.NaN }, '"rate" is NaN'],
    ['an infinite number', -Infinity, 'it is -Infinity'],
    ['a BigInt', { id: 1n }, '"id" is a BigInt: store String(id)'],
    ['a Map', { rows: [new Map()] }, '"rows[0]" is a Map: store Object.fromEntries(rows)'],
    ['bytes', new Uint8Array(2), 'it is a Uint8Array'],
    ['a buffer', { photo: Buffer.alloc(2) }, '"photo" is a Buffer: store photo.toString'],
    ['what contains itself', circle, '"self" is an object that contains itself'],
    ['what is nested without end', nest(100_000), 'must be serializable as JSON'],
  ])('refuse %s by an error that names it (XTN-08)', async (_, value, message) => {
    const values = createValues();
    const refusal = values.set('key', value);
    await expect(refusal).rejects.toThrow(StateError);
    await expect(refusal).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(message),
    });
    expect(await values.has('key')).toBe(false);
  });

  it('give copies of what they were given (XTN-08)', async () => {
    const values = createValues();
    const given = { items: ['tea'], at: new Date(0) };
    await values.set('cart', given);
    given.items.push('milk');
    const read = await values.get<{ items: string[] }>('cart');
    expect(read).toEqual({ items: ['tea'], at: '1970-01-01T00:00:00.000Z' });
    read?.items.push('sugar');
    expect(await values.get('cart')).toMatchObject({ items: ['tea'] });
  });

  it('take a value away that a change gives nothing for (XTN-08)', async () => {
    const values = createValues();
    await values.set('cart', 1);
    expect(await values.update('cart', () => undefined)).toBeUndefined();
    expect(await values.has('cart')).toBe(false);
  });

  it('change a value again if another came first, and leave others alone (XTN-08)', async () => {
    const values = createValues();
    const seen: unknown[] = [];
    const sum = await values.update<number>('sum', async (before = 0) => {
      seen.push(before);
      if (seen.length === 1) await values.set('sum', 10);
      await values.set('beside', seen.length);
      return before + 1;
    });
    expect(seen).toEqual([0, 10]);
    expect(sum).toBe(11);
  });

  it('give up a change that others always come before (XTN-08)', async () => {
    const values = createValues();
    let count = 0;
    const change = values.update('sum', async () => {
      await values.set('sum', (count += 1));
      return 0;
    });
    await expect(change).rejects.toMatchObject({ code: 'busy' });
  });

  it('keep what there is if a change fails (XTN-08)', async () => {
    const values = createValues();
    await values.set('sum', 1);
    await expect(values.update('sum', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await values.get('sum')).toBe(1);
  });
});
