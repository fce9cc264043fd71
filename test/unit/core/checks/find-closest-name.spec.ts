import { describe, expect, it } from '@jest/globals';
import { findClosestName } from '../../../../lib/core/checks/suggest-names.js';

const KNOWN = ['title', 'email', 'priority', 'dueDate', 'id'];

describe('findClosestName', () => {
  it.each([
    ['a letter too few', 'priorty', 'priority'],
    ['a letter too many', 'titlee', 'title'],
    ['a wrong letter', 'titke', 'title'],
    ['two letters swapped', 'emial', 'email'],
    ['another case', 'DUEDATE', 'dueDate'],
    ['an underscore', 'due_date', 'dueDate'],
  ])('sees through %s (MOD-07)', (_, name, closest) => {
    expect(findClosestName(name, KNOWN)).toBe(closest);
  });

  it('finds the nearest of several (MOD-07)', () => {
    expect(findClosestName('street2', ['street', 'street1x', 'street12'])).toBe('street');
    expect(findClosestName('phones', ['phone', 'phonez', 'phoness'])).toBe('phone');
  });

  it.each([
    ['another word', 'zebra'],
    ['an empty name', ''],
    ['a name without end', 'title'.repeat(100_000)],
  ])('finds nothing near %s (MOD-07)', (_, name) => {
    expect(findClosestName(name, KNOWN)).toBeUndefined();
  });
});
