import { describe, expect, it } from '@jest/globals';
import {
  formatStanding,
  parseStanding,
  readMember,
} from '../../../../../lib/server/notifications/standing/standing-value.js';

describe('What a record says of a standing stream', () => {
  it.each([
    [{ reader: 'member.7', read: { epoch: 'log', number: 5 } }, 'member.7@log:5'],
    [{ reader: 'member.7', read: undefined }, 'member.7@'],
    [{ reader: undefined, read: { epoch: 'log', number: 5 } }, '@log:5'],
    [{ reader: undefined, read: undefined }, '@'],
  ])('is read as it was written: %j', (value, text) => {
    expect(formatStanding(value)).toBe(text);
    expect(parseStanding(text)).toEqual(value);
  });

  it('is nothing if the record lacks it', () => {
    expect(parseStanding(undefined)).toEqual({ reader: undefined, read: undefined });
  });

  it('names the process of the reader', () => {
    expect(readMember('member.7')).toBe('member');
  });
});
