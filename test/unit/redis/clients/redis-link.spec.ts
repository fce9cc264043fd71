import { describe, expect, it } from '@jest/globals';
import { isRefusal, parseLinkFailure } from '../../../../lib/redis/clients/redis-link.js';

const failWith = (message: string, members: object = {}) => Object.assign(new Error(message), members);

describe('parseLinkFailure()', () => {
  it.each([
    ['WRONGPASS', failWith('WRONGPASS invalid username-password pair or user is disabled.')],
    ['NOAUTH', failWith('NOAUTH Authentication required.')],
    [
      'NOAUTH',
      failWith(
        'All sentinels are unreachable. Retrying from scratch after 10ms. Last error: NOAUTH Authentication required.',
      ),
    ],
    [
      'WRONGPASS',
      failWith('All sentinels are unreachable and retry is disabled. Last error: WRONGPASS invalid password'),
    ],
    ['ECONNREFUSED', failWith('connect ECONNREFUSED 127.0.0.1:6379', { code: 'ECONNREFUSED' })],
    ['ENOTFOUND', failWith('getaddrinfo ENOTFOUND redis.internal', { code: 'ENOTFOUND' })],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      failWith('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    ],
    [
      'NOPERM',
      failWith(
        "ERR Error running script (call to f_7): @user_script:1: @user_script: 1: -NOPERM The user executing the script can't run this command or subcommand",
      ),
    ],
    ['NOPERM', failWith("ERR The user executing the script can't run this command or subcommand")],
    [undefined, failWith('Socket closed unexpectedly')],
  ])('reads what it is called: %s', (reason, error) => {
    expect(parseLinkFailure(error)).toEqual({ reason, text: error.message });
  });

  it('reads why each address of a name failed', () => {
    const cause = failWith('connect ECONNREFUSED ::1:6379', { code: 'ECONNREFUSED' });
    const error = Object.assign(new AggregateError([cause]), { code: 'ECONNREFUSED' });
    expect(parseLinkFailure(error)).toEqual({ reason: 'ECONNREFUSED', text: cause.message });
  });

  it('reads why the nodes of a cluster failed', () => {
    const lastNodeError = failWith('WRONGPASS invalid username-password pair or user is disabled.');
    const text = `Failed to refresh slots cache: ${lastNodeError.message}`;
    const error = failWith('Failed to refresh slots cache.', { lastNodeError });
    expect(parseLinkFailure(error)).toEqual({ reason: 'WRONGPASS', text });
  });

  it.each([
    [
      'in a URL',
      failWith('Invalid URL: redis://shop:ge/hei@m@redis.internal:6379'),
      'Invalid URL: redis://[hidden]@redis.internal:6379',
    ],
    [
      'in a command that Redis does not know',
      failWith("ERR unknown command 'AUTH', with args beginning with: 'geheim'"),
      "ERR unknown command 'AUTH'",
    ],
    ['on a further line', failWith('The login failed\nwith geheim'), 'The login failed'],
  ])('keeps no secret: %s', (_case, error, text) => {
    expect(parseLinkFailure(error)?.text).toBe(text);
  });

  it('tells a refusal, which lasts, from an outage', () => {
    const reasons = ['WRONGPASS', 'NOAUTH', 'NOPERM', 'ECONNREFUSED', 'LOADING', undefined];
    expect(reasons.filter(isRefusal)).toEqual(['WRONGPASS', 'NOAUTH', 'NOPERM']);
  });

  it('keeps a bounded text', () => {
    expect(parseLinkFailure(failWith('x'.repeat(10_000)))?.text).toHaveLength(200);
  });

  it.each([undefined, null, 7, {}, failWith('')])('reads nothing of %p', (value) => {
    expect(parseLinkFailure(value)).toBeUndefined();
  });
});
