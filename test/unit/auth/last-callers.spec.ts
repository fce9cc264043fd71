import { describe, expect, it } from '@jest/globals';
import { LastCallers } from '../../../lib/auth/last-callers.js';
import type { Known } from '../../../lib/auth/validators/validator.interface.js';
import { buildCaller } from '../support/caller.js';

const ADA = 'Bearer token-of-ada';
const BOB = 'Bearer token-of-bob';

/** Makes what is known of a token until `isOver` says otherwise. */
function know(sub: string): Known & { isOver: boolean } {
  return {
    authentication: buildCaller({ sub }),
    isCached: true,
    isOver: false,
    isCurrent() {
      return !this.isOver;
    },
  };
}

describe('LastCallers', () => {
  const ada = know('ada');
  const connection = {};

  it('knows who brings the same again over a connection (AUTH-11)', () => {
    const callers = new LastCallers();
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
    callers.remember({ connection, authorization: ADA }, ada);
    expect(callers.recall({ connection, authorization: ADA })).toBe(ada);
  });

  it('knows nobody else over it (AUTH-11)', () => {
    const callers = new LastCallers();
    callers.remember({ connection, authorization: ADA }, ada);
    expect(callers.recall({ connection, authorization: BOB })).toBeUndefined();
    expect(callers.recall({ connection, authorization: ADA.toUpperCase() })).toBeUndefined();
  });

  it('knows nobody over another connection (AUTH-11)', () => {
    const callers = new LastCallers();
    callers.remember({ connection, authorization: ADA }, ada);
    expect(callers.recall({ connection: {}, authorization: ADA })).toBeUndefined();
  });

  it('keeps one for each connection, the last (AUTH-11) (SAFE-02)', () => {
    const callers = new LastCallers();
    const bob = know('bob');
    callers.remember({ connection, authorization: ADA }, ada);
    callers.remember({ connection, authorization: BOB }, bob);
    expect(callers.recall({ connection, authorization: BOB })).toBe(bob);
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
  });

  it('forgets who does not count any more (AUTH-05) (AUTH-11)', () => {
    const callers = new LastCallers();
    const ended = know('ada');
    callers.remember({ connection, authorization: ADA }, ended);
    ended.isOver = true;
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
    ended.isOver = false;
    expect(callers.recall({ connection, authorization: ADA })).toBeUndefined();
  });
});
