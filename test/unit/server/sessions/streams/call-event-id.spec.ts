import { describe, expect, it } from '@jest/globals';
import {
  formatCallName,
  formatEndId,
  parseCallEventId,
} from '../../../../../lib/server/sessions/streams/call-event-id.js';

const MEMBER = '0f3a5c9b1d2e';

describe('The id of an event of a call', () => {
  it.each([
    ['a number', [7]],
    ['a text', ['eight']],
    ['a text that no header could carry', ['ключ \n "1"']],
    ['several', [7, 'eight', 0]],
    ['a list that could be taken for several', ['[1,2]']],
  ])('names the process, the stream, and requests whose id is %s (RELAY-05)', (_case, requestIds) => {
    const stream = formatCallName({ member: MEMBER, ordinal: 12, requestIds });
    expect(parseCallEventId(`${stream}:3`)).toEqual({
      stream,
      member: MEMBER,
      ordinal: 12,
      requestIds,
      number: 3,
    });
    expect(stream).toMatch(/^[\w.-]+$/);
  });

  it('is short, however long the ids of the requests are: they are left out then (RELAY-05)', () => {
    const requestIds = Array.from({ length: 100 }, (_, index) => `request ${index}`);
    const stream = formatCallName({ member: MEMBER, ordinal: 1, requestIds });
    expect(stream).toBe(`${MEMBER}.1.`);
    expect(parseCallEventId(`${stream}:0`)).toMatchObject({ requestIds: [], number: 0 });
  });

  it('has no number behind the last event (RELAY-05)', () => {
    const stream = formatCallName({ member: MEMBER, ordinal: 1, requestIds: [1] });
    const place = parseCallEventId(`${stream}:1`);
    expect(place && parseCallEventId(formatEndId(place))).not.toHaveProperty('number');
  });

  it.each([
    ['no process', '.1.MQ:1'],
    ['a process that cannot be one', 'a-b.1.MQ:1'],
    ['too long a process', `${'m'.repeat(33)}.1.MQ:1`],
    ['no stream', `${MEMBER}..MQ:1`],
    ['a stream that is no number', `${MEMBER}.1e3.MQ:1`],
    ['requests that are no JSON', `${MEMBER}.1.bm9uZQ:1`],
    ['a request that can have no such id', `${MEMBER}.1.${Buffer.from('[null]').toString('base64url')}:1`],
    ['an object for a request', `${MEMBER}.1.${Buffer.from('{"a":1}').toString('base64url')}:1`],
    ['too many requests', `${MEMBER}.1.${'A'.repeat(257)}:1`],
    ['no number', `${MEMBER}.1.MQ:`],
    ['too large a number', `${MEMBER}.1.MQ:${'9'.repeat(16)}`],
    ['a number below nothing', `${MEMBER}.1.MQ:-1`],
    ['more behind it', `${MEMBER}.1.MQ:1\n`],
    ['nothing of it', ''],
  ])('is not what has %s (RELAY-05)', (_case, id) => {
    expect(parseCallEventId(id)).toBeUndefined();
  });
});
