import { describe, expect, it } from '@jest/globals';
import {
  isTransient,
  isUnreached,
  markNetworkError,
} from '../../../../../lib/client/module/connection/transient-errors.js';

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
const failed = (cause: unknown) => new TypeError('fetch failed', { cause });

describe('isTransient', () => {
  it.each<[string, unknown]>([
    ['a failure in the network', failed(reset)],
    [
      'a failure in the network that the official client reports',
      new Error('probe', { cause: failed(refused) }),
    ],
    ['a server that is busy', Object.assign(new Error('busy'), { status: 503 })],
    ['too many requests', Object.assign(new Error('busy'), { status: 429 })],
    ['an answer that broke off', new TypeError('terminated', { cause: reset })],
    ['what sending throws elsewhere', markNetworkError(new TypeError('error sending request'))],
    ['a process that ended', Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' })],
  ])('takes %s for something that passes (CLI-18)', (_name, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a refusal', Object.assign(new Error('forbidden'), { status: 403 })],
    ['a fault of a program', new TypeError("Cannot read properties of undefined (reading 'token')")],
    [
      'a fault of a program with a cause',
      new TypeError('The key cannot sign', { cause: new Error('no PEM') }),
    ],
    ['a program that there is not', Object.assign(new Error('spawn'), { code: 'ENOENT' })],
    ['an error of the protocol', Object.assign(new Error('params'), { code: -32_602 })],
    ['what is no error', undefined],
  ])('takes %s for something that stays (CLI-18)', (_name, error) => {
    expect(isTransient(error)).toBe(false);
  });

  it('comes to an end where causes go round in a circle (CLI-18)', () => {
    const circle = new Error('circle');
    circle.cause = circle;
    expect(isTransient(circle)).toBe(false);
  });
});

describe('isUnreached', () => {
  it('knows what never came to the server from what may have (CLI-18)', () => {
    expect(isUnreached(failed(refused))).toBe(true);
    expect(isUnreached(failed(reset))).toBe(false);
  });
});
