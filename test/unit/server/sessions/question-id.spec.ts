import { describe, expect, it } from '@jest/globals';
import {
  findInputRequestOwner,
  formatInputRequestId,
} from '../../../../lib/server/sessions/input-request-id.js';

const PREFIX = 'aB3-_x9z';

describe('The id of a question', () => {
  it('names the process that asks, if there are others (RELAY-05)', () => {
    const id = formatInputRequestId({ member: '0f3a5c', prefix: PREFIX, count: 12 });
    expect(id).toBe('0f3a5c-aB3-_x9z-12');
    expect(findInputRequestOwner(id)).toBe('0f3a5c');
  });

  it('names none if the process is alone', () => {
    const id = formatInputRequestId({ prefix: PREFIX, count: 12 });
    expect(id).toBe('aB3-_x9z-12');
    expect(findInputRequestOwner(id)).toBeUndefined();
  });

  it.each([
    ['a number', 12],
    ['nothing', undefined],
    ['an object', { id: 'member-aB3-_x9z-1' }],
    ['a text of the client’s own', 'my-request-1'],
    ['no count', 'member-aB3-_x9z-'],
    ['a count that is none', 'member-aB3-_x9z-1e3'],
    ['too long a count', `member-aB3-_x9z-${'1'.repeat(16)}`],
    ['too long a name', `${'m'.repeat(33)}-aB3-_x9z-1`],
    ['a name that is no process’s', 'me:ber-aB3-_x9z-1'],
    ['more behind it', 'member-aB3-_x9z-1\n'],
  ])('is not what has %s (RELAY-05)', (_case, id) => {
    expect(findInputRequestOwner(id)).toBeUndefined();
  });
});
