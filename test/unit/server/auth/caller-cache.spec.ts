import { describe, expect, it, jest } from '@jest/globals';
import { CallerCache } from '../../../../lib/server/auth/caller-cache.js';
import type { ReusableValidation } from '../../../../lib/server/auth/validators/validator.interface.js';
import { buildCaller } from '../../support/caller.js';

const ADA = 'Bearer token-of-ada';
const BOB = 'Bearer token-of-bob';

/** Makes what is known of a token until `isOver` says otherwise. */
function know(sub: string): ReusableValidation & { isOver: boolean } {
  return {
    authentication: buildCaller({ sub }),
    isCached: true,
    isOver: false,
    isCurrent() {
      return !this.isOver;
    },
  };
}

describe('CallerCache', () => {
  const ada = know('ada');
  const connection = {};

  /** Has a caller come twice: a header is kept of those who come again. */
  function settle(callers: CallerCache, authorization: string, known: ReusableValidation): void {
    callers.remember({ connection, authorization }, known);
    callers.remember({ connection, authorization }, known);
  }

  it('knows who brings the same for the third time over a connection (AUTH-11)', () => {
    const callers = new CallerCache();
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
    callers.remember({ connection, authorization: ADA }, ada);
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
    callers.remember({ connection, authorization: ADA }, ada);
    expect(callers.recall({ connection, authorization: ADA })).toBe(ada);
  });

  it('knows nobody else over it (AUTH-11)', () => {
    const callers = new CallerCache();
    settle(callers, ADA, ada);
    expect(callers.recall({ connection, authorization: BOB })).toBeUndefined();
    expect(callers.recall({ connection, authorization: ADA.toUpperCase() })).toBeUndefined();
  });

  it('knows nobody over another connection (AUTH-11)', () => {
    const callers = new CallerCache();
    settle(callers, ADA, ada);
    expect(callers.recall({ connection: {}, authorization: ADA })).toBeUndefined();
  });

  it('keeps one for each connection, the last (AUTH-11) (SAFE-02)', () => {
    const callers = new CallerCache();
    const bob = know('bob');
    settle(callers, ADA, ada);
    settle(callers, BOB, bob);
    expect(callers.recall({ connection, authorization: BOB })).toBe(bob);
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
  });

  it('keeps one copy of a header for all connections of a caller (AUTH-11) (SAFE-02)', () => {
    const callers = new CallerCache();
    const authorization = `Bearer ${'x'.repeat(8000)}`;
    const connections = Array.from({ length: 1000 }, () => ({}));
    const before = process.memoryUsage().arrayBuffers;
    for (const each of connections) {
      callers.remember({ connection: each, authorization }, ada);
      callers.remember({ connection: each, authorization }, ada);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    expect(connections.every((each) => callers.recall({ connection: each, authorization }) === ada)).toBe(
      true,
    );
  });

  it('forgets who does not count any more (AUTH-05) (AUTH-11)', () => {
    const callers = new CallerCache();
    const ended = know('ada');
    settle(callers, ADA, ended);
    ended.isOver = true;
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
    ended.isOver = false;
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
  });

  it('keeps no header where callers take turns (AUTH-11)', () => {
    const callers = new CallerCache();
    const bob = know('bob');
    for (let turn = 0; turn < 3; turn += 1) {
      callers.remember({ connection, authorization: ADA }, ada);
      callers.remember({ connection, authorization: BOB }, bob);
      expect(callers.recall({ connection, authorization: BOB })).toBeUndefined();
    }
  });

  it('forgets everybody at once (AUTH-11)', () => {
    const callers = new CallerCache();
    settle(callers, ADA, ada);
    callers.clear();
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
  });

  it('takes all of a token for secret that no signature proves (AUTH-11)', () => {
    const callers = new CallerCache();
    const authorization = `Bearer ${'x'.repeat(93)}`;
    settle(callers, authorization, ada);
    const read = jest.spyOn(String.prototype, 'charCodeAt');
    callers.recall({ connection, authorization });
    const count = read.mock.calls.length;
    read.mockRestore();
    expect(count).toBe(100);
  });
});
