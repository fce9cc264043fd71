import { describe, expect, it } from '@jest/globals';
import { findRequiredElicitations } from '../../../../lib/core/protocol/input-requests.js';

const PAGE = { mode: 'url', elicitationId: '7', url: 'https://desk.example.com/connect', message: 'Connect' };
const error = (elicitations: unknown, code = -32042) => ({ code, message: 'x', data: { elicitations } });

describe('findRequiredElicitations', () => {
  it('reads the pages of the error -32042 (XTN-04)', () => {
    expect(findRequiredElicitations(error([PAGE]))).toEqual([PAGE]);
  });

  it('leaves out what is no page (XTN-04)', () => {
    const others = [
      null,
      'page',
      { ...PAGE, mode: 'form' },
      { ...PAGE, url: 'connect' },
      { ...PAGE, message: 7 },
    ];
    expect(findRequiredElicitations(error([...others, PAGE]))).toEqual([PAGE]);
  });

  it.each([
    undefined,
    null,
    {},
    error([PAGE], -32602),
    error({}),
    { code: -32042 },
    { code: -32042, data: [] },
  ])('finds nothing in other errors: %j', (other) => {
    expect(findRequiredElicitations(other)).toBeUndefined();
  });
});
