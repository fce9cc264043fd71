import { describe, expect, it } from '@jest/globals';
import { isInputRequired } from '../../../../lib/core/protocol/input-requests.js';
import { isObject, isRequestId } from '../../../../lib/core/protocol/json-rpc.js';

describe('isObject', () => {
  it.each([{}, { a: 1 }, Object.create(null)])('takes %j (CORE-01)', (value) => {
    expect(isObject(value)).toBe(true);
  });

  it.each([null, undefined, [], [{}], 'a', 1, true, () => 1])('takes no %j (CORE-01)', (value) => {
    expect(isObject(value)).toBe(false);
  });
});

describe('isRequestId (MCP basic, "Requests")', () => {
  it.each(['', 'a', '1', 0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'takes %j (CORE-01)',
    (value) => {
      expect(isRequestId(value)).toBe(true);
    },
  );

  it.each([null, undefined, 1.5, NaN, Infinity, Number.MAX_SAFE_INTEGER + 1, true, {}, [1], ['a'], 1n])(
    'takes no %p (CORE-01)',
    (value) => {
      expect(isRequestId(value)).toBe(false);
    },
  );
});

describe('isInputRequired (MCP 2026-07-28 basic/patterns/mrtr)', () => {
  it('takes what says so of itself, and nothing else (REV-02)', () => {
    expect(isInputRequired({ resultType: 'input_required' })).toBe(true);
    for (const other of [{ resultType: 'complete' }, {}, [], 'input_required', null, undefined]) {
      expect(isInputRequired(other)).toBe(false);
    }
  });
});
