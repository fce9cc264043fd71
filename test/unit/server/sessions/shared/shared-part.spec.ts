import { describe, expect, it } from '@jest/globals';
import { SharedPart } from '../../../../../lib/server/sessions/shared/shared-part.js';

describe('SharedPart', () => {
  const create = () => SharedPart.create({ isShared: true, published: undefined }, undefined) as SharedPart;

  it('keeps the newest that it was told of the lists of a client, in whichever order that comes (RELAY-16)', () => {
    const part = create();
    for (const lists of ['2 b', '10 c', '9 a', undefined]) part.noteLists(lists);
    expect(part.lists).toBe('10 c');
  });

  it('takes the later of two that are as new (RELAY-16)', () => {
    const part = create();
    for (const lists of ['2 a', '2 b']) part.noteLists(lists);
    expect(part.lists).toBe('2 b');
  });

  it('replaces what it cannot read (RELAY-16)', () => {
    const part = create();
    for (const lists of ['a former text', '1 a']) part.noteLists(lists);
    expect(part.lists).toBe('1 a');
  });

  it('does not exist for a session that no other process can have (RELAY-16)', () => {
    expect(SharedPart.create({ isShared: false, published: undefined }, undefined)).toBeUndefined();
  });
});
