import { describe, expect, it } from '@jest/globals';
import {
  formatStreamRecord,
  parseStreamRecord,
  readMember,
} from '../../../../../lib/server/notifications/cluster/stream-record.js';

describe('What a record says of a standing stream', () => {
  it.each([
    [{ reader: 'member.7', read: { epoch: 'log', number: 5 } }, 'member.7@log:5'],
    [{ reader: 'member.7', read: undefined }, 'member.7@'],
    [{ reader: undefined, read: { epoch: 'log', number: 5 } }, '@log:5'],
    [{ reader: undefined, read: undefined }, '@'],
  ])('is read as it was written: %j', (value, text) => {
    expect(formatStreamRecord(value)).toBe(text);
    expect(parseStreamRecord(text)).toEqual(value);
  });

  it('is nothing if the record lacks it', () => {
    expect(parseStreamRecord(undefined)).toEqual({ reader: undefined, read: undefined });
  });

  it('names the process of the reader', () => {
    expect(readMember('member.7')).toBe('member');
  });
});
