import { describe, expect, it } from '@jest/globals';
import { explainError } from '../../../../lib/core/log/describe-failure.js';

describe('explainError', () => {
  it('returns the message of an error', () => {
    expect(explainError(new TypeError('The name is empty'))).toBe('The name is empty');
  });

  it('returns any other thrown value as text', () => {
    expect([explainError('gone'), explainError(undefined)]).toEqual(['gone', 'undefined']);
  });
});
