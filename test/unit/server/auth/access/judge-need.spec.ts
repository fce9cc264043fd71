import { describe, expect, it } from '@jest/globals';
import { McpError } from '../../../../../lib/core/protocol/mcp.error.js';
import { judgeNeed } from '../../../../../lib/server/auth/access/judge-need.js';
import type { Need } from '../../../../../lib/server/auth/access/required-access.js';
import { NO_AUTH } from '../../../../../lib/server/context/request-auth.js';
import type { RequestContext } from '../../../../../lib/server/context/request-context.js';
import { buildAuth } from '../../../support/caller.js';

const CONTEXT = {} as RequestContext;
const tell = (...scopes: readonly string[]) => ({ tell: () => scopes });
const need = (scopes: readonly string[], ...demands: NonNullable<Need['demands']>): Need => ({
  scopes,
  isPublic: false,
  demands,
});
const fail = {
  tell: () => {
    throw McpError.invalidParams('no');
  },
};

describe('judgeNeed()', () => {
  it('asks for fixed scopes and those of the call together (XTN-04)', async () => {
    const auth = buildAuth({ sub: 'ada', scopes: ['b'] });
    const { refusal, weigh } = judgeNeed(auth, need(['a'], tell('b'), tell('c', 'a')));
    expect(refusal).toBeUndefined();
    expect((await weigh?.([CONTEXT]))?.message).toBe('insufficient_scope: a b c');
  });

  it('notes all of them if the token has them (XTN-04)', async () => {
    const auth = buildAuth({ sub: 'ada', scopes: ['a', 'b'] });
    expect(await judgeNeed(auth, need(['a'], tell('b'))).weigh?.([CONTEXT])).toBeUndefined();
    expect(auth.requiredScopes).toEqual(['a', 'b']);
  });

  it('looks at no argument of a caller without a token (XTN-04)', () => {
    const { refusal, weigh } = judgeNeed(buildAuth(), need([], fail));
    expect([refusal?.code, weigh]).toEqual([401, undefined]);
  });

  it('tells nothing of arguments to whoever lacks a fixed scope (XTN-04)', async () => {
    const auth = buildAuth({ sub: 'ada', scopes: [] });
    const refused = await judgeNeed(auth, need(['a'], fail)).weigh?.([CONTEXT]);
    expect(refused?.message).toBe('insufficient_scope: a');
    await expect(judgeNeed(auth, need([], fail)).weigh?.([CONTEXT])).rejects.toThrow('Invalid params: no');
  });

  it('leaves what cannot be told of one request of a batch to that (XTN-04)', async () => {
    const auth = buildAuth({ sub: 'ada', scopes: [] });
    const refused = await judgeNeed(auth, need([], fail, tell('b'))).weigh?.([CONTEXT, CONTEXT], true);
    expect(refused?.message).toBe('insufficient_scope: b');
  });

  it('refuses to ask for more than a header carries (XTN-04)', async () => {
    const auth = buildAuth({ sub: 'ada', scopes: [] });
    const many = Array.from({ length: 100 }, (_, index) => tell(`${index}-${'x'.repeat(60)}`));
    await expect(judgeNeed(auth, need([], ...many)).weigh?.([CONTEXT])).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('lets whoever needs none pass where nobody has a scope (XTN-04)', async () => {
    expect(await judgeNeed(NO_AUTH, need([], tell())).weigh?.([CONTEXT])).toBeUndefined();
    expect((await judgeNeed(NO_AUTH, need([], tell('a'))).weigh?.([CONTEXT]))?.code).toBe(403);
  });
});
