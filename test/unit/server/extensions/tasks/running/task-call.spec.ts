import { describe, expect, it } from '@jest/globals';
import {
  recordCall,
  restoreOrigin,
} from '../../../../../../lib/server/extensions/tasks/running/task-call.js';
import { RequestContext } from '../../../../../../lib/server/context/request-context.js';
import { buildAuth, buildCaller } from '../../../../support/caller.js';
import { buildPeer, buildRequest, RecordingChannel } from '../../../../support/requests.js';
import { buildRecord } from '../build-record.js';

const PARAMS = { name: 'run', arguments: { text: 'a' }, _meta: { progressToken: 1 } };

function buildCall(claims?: Parameters<typeof buildAuth>[0]): RequestContext {
  return new RequestContext(buildRequest('tools/call', PARAMS), {
    peer: buildPeer('2025-06-18', { capabilities: { sampling: {} }, identity: 'someone' }),
    channel: new RecordingChannel(),
    auth: buildAuth(claims),
  });
}

describe('The call of a task', () => {
  it('is noted as JSON, with the claims of its caller and without the token (TASK-01) (TASK-07)', () => {
    const call = recordCall(buildCall({ sub: 'ada', scopes: ['desk:read'] }));
    expect(JSON.parse(JSON.stringify(call))).toEqual(call);
    expect(call).toMatchObject({
      version: '2025-06-18',
      params: PARAMS,
      client: { capabilities: { sampling: {} } },
      authentication: { scopes: ['desk:read'], claims: { sub: 'ada' } },
    });
    expect(JSON.stringify(call)).not.toContain('a-fixed-token-of-the-desk');
  });

  it('is made again as it was, in another process (TASK-01)', () => {
    const call = JSON.parse(JSON.stringify(recordCall(buildCall({ sub: 'ada', scopes: ['desk:read'] }))));
    const origin = restoreOrigin(buildRecord({ call, owner: 'someone' }));
    expect(origin).toMatchObject({ identity: 'someone', client: { capabilities: { sampling: {} } } });
    expect(origin.revision.version).toBe('2025-06-18');
    const { scopes, claims } = origin.authentication ?? buildCaller();
    expect([[...scopes], claims.sub]).toEqual([['desk:read'], 'ada']);
  });

  it('has no caller where nobody was known, and a revision where its own is gone (TASK-01)', () => {
    const call = recordCall(buildCall());
    expect(call).not.toHaveProperty('authentication');
    const origin = restoreOrigin(buildRecord({ call: { ...call, version: '1999-01-01' } }));
    expect(origin).not.toHaveProperty('authentication');
    expect(origin.identity).toBeUndefined();
    expect(origin.revision.version).toBe('2025-11-25');
  });
});
