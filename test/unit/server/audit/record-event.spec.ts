import { describe, expect, it } from '@jest/globals';
import { createEventId } from '../../../../lib/server/audit/record-event.js';

/** More than two digits can count. */
const MANY = 1000;

describe('createEventId (RFC 9562 §5.8)', () => {
  const ids = Array.from({ length: MANY }, createEventId);

  it('gives UUIDs of version 8', () => {
    for (const id of ids)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('counts in the last digits, so that no two are the same', () => {
    const counts = ids.map((id) => Number.parseInt(id.slice(-12), 16));
    const [first = 0] = counts;
    expect(counts).toEqual(Array.from({ length: MANY }, (_, index) => first + index));
  });

  it('begins all with the digits of the process', () => {
    expect(new Set(ids.map((id) => id.slice(0, -12))).size).toBe(1);
  });
});
