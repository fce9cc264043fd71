import { describe, expect, it } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { Claims, readClaims, selectClaims } from '../../../../lib/server/decorators/parameter.decorators.js';
import { MCP_CONTEXT_TYPE, PARAMETER_METADATA } from '../../../../lib/server/settings/mcp.constants.js';
import { buildAuth } from '../../support/caller.js';
import { buildContext } from '../../support/requests.js';

const auth = buildAuth({ sub: 'ada', scopes: ['desk:read'], extra: { team: 'blue' } });

/** The same in an MCP handler, as its second argument, and on a controller, as the request. */
const PLACES: readonly (readonly [string, (authenticated: object) => ExecutionContextHost])[] = [
  [
    'an MCP handler',
    (authenticated) => {
      const context = new ExecutionContextHost([{ auth: 'of the arguments' }, authenticated]);
      context.setType(MCP_CONTEXT_TYPE);
      return context;
    },
  ],
  ['a controller', (authenticated) => new ExecutionContextHost([authenticated, {}])],
];

class Desk {
  mine(@Claims() _claims: Claims, @Claims('sub') _owner: string) {
    return 'mine';
  }
}

describe('Claims', () => {
  it('stands beside the other parameter decorators in the form of Nest’s own (AUTH-10)', () => {
    const parameters = Object.values(
      Reflect.getMetadata(PARAMETER_METADATA, Desk, 'mine') as Record<string, unknown>,
    );
    expect(parameters).toContainEqual({ index: 0, data: undefined, factory: readClaims, pipes: [] });
    expect(parameters).toContainEqual({ index: 1, data: 'sub', factory: readClaims, pipes: [] });
  });

  it.each(PLACES)('gives %s all claims, or one (AUTH-10)', (_place, build) => {
    const context = build({ auth });
    expect(readClaims(undefined, context)).toBe(auth.claims);
    expect(readClaims('sub', context)).toBe('ada');
    expect(readClaims('extra', context)).toEqual({ team: 'blue' });
    expect(readClaims('iss', context)).toBeUndefined();
  });

  it.each(PLACES)('gives %s nothing where there is no token (AUTH-10)', (_place, build) => {
    for (const authenticated of [{ auth: buildAuth() }, {}]) {
      expect(readClaims(undefined, build(authenticated))).toBeUndefined();
      expect(readClaims('sub', build(authenticated))).toBeUndefined();
    }
  });

  it('gives nothing on an open server (AUTH-10)', () => {
    expect(selectClaims(buildContext('tools/call'), 'sub')).toBeUndefined();
  });
});
