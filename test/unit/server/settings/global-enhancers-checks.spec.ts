import { describe, expect, it } from '@jest/globals';
import { assertOptions } from '../../../../lib/server/settings/mcp-options.js';
import { buildGlobalEnhancers } from '../../../../lib/server/settings/global-enhancers-options.js';
import { catchFault } from '../../support/configuration-fault.js';
import { SERVER_INFO } from '../../support/settings.js';

class TokenGuard {}

const OF_KINDS = /must be an object with guards, interceptors, pipes, filters/;

describe('The option "globalEnhancers"', () => {
  it.each<[unknown, string, RegExp]>([
    ['yes', 'globalEnhancers', OF_KINDS],
    [0, 'globalEnhancers', OF_KINDS],
    [[TokenGuard], 'globalEnhancers', OF_KINDS],
    [{ guard: true }, 'globalEnhancers.guard', /is not a known option: use one of guards, interceptors/],
    [{ guards: 'all' }, 'globalEnhancers.guards', /must be an object with only, except/],
    [{ guards: [TokenGuard] }, 'globalEnhancers.guards', /must be an object with only, except/],
    [{ pipes: {} }, 'globalEnhancers.pipes', /must have either "only" or "except", each a list of classes/],
    [{ pipes: { only: [], except: [] } }, 'globalEnhancers.pipes', /must have either "only" or "except"/],
    [{ filters: { only: TokenGuard } }, 'globalEnhancers.filters.only', /must be an array/],
    [
      { filters: { only: [TokenGuard, 'Token'] } },
      'globalEnhancers.filters.only[1]',
      /must be a class, such as/,
    ],
    [{ interceptors: { except: [undefined] } }, 'globalEnhancers.interceptors.except[0]', /must be a class/],
    [{ interceptors: { except: [{}] } }, 'globalEnhancers.interceptors.except[0]', /must be a class/],
  ])('is refused as %j (APP-02) (MOD-11)', (globalEnhancers, option, text) => {
    const fault = catchFault({ globalEnhancers });
    expect(fault.option).toBe(option);
    expect(fault.message).toMatch(text);
  });

  it.each([
    true,
    false,
    {},
    { guards: true, pipes: false },
    { interceptors: { only: [TokenGuard] }, filters: { except: [] } },
  ])('may be %j (APP-02)', (globalEnhancers) => {
    expect(() => assertOptions({ serverInfo: SERVER_INFO, globalEnhancers })).not.toThrow();
  });

  it('is the same for all kinds, or one for each (APP-02)', () => {
    const none = { guards: false, interceptors: false, pipes: false, filters: false };
    expect(buildGlobalEnhancers({})).toEqual(none);
    expect(buildGlobalEnhancers(true)).toEqual({
      guards: true,
      interceptors: true,
      pipes: true,
      filters: true,
    });
    expect(buildGlobalEnhancers({ pipes: { only: [] } })).toEqual({ ...none, pipes: { only: [] } });
  });
});
