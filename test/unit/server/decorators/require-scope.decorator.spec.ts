import { describe, expect, it } from '@jest/globals';
import { RequireScope } from '../../../../lib/server/decorators/access.decorators.js';
import { ACCESS_METADATA } from '../../../../lib/server/settings/mcp.constants.js';

@RequireScope('desk:read', 'desk:list')
class Desk {
  @RequireScope('desk:write')
  close() {
    return 'closed';
  }

  @RequireScope('desk:write', 'desk:close')
  @RequireScope('desk:audit', 'desk:write')
  audit() {
    return 'audited';
  }

  open() {
    return 'open';
  }
}

const read = (owner: object): unknown => Reflect.getOwnMetadata(ACCESS_METADATA, owner);
const readMethod = (name: keyof Desk): unknown =>
  Reflect.getOwnMetadata(ACCESS_METADATA, Desk.prototype, name);

describe('RequireScope', () => {
  it('writes the scopes of a class and of a method (STEP-01)', () => {
    expect(read(Desk)).toEqual({ scopes: ['desk:read', 'desk:list'] });
    expect(readMethod('close')).toEqual({ scopes: ['desk:write'] });
    expect(readMethod('open')).toBeUndefined();
  });

  it('adds to others on the method, in the order of the source, each scope once (STEP-01)', () => {
    expect(readMethod('audit')).toEqual({ scopes: ['desk:write', 'desk:close', 'desk:audit'] });
  });

  it('leaves the method as it is (STEP-01)', () => {
    expect(new Desk().close()).toBe('closed');
    expect(Object.keys(Desk.prototype)).toEqual([]);
  });

  it('cannot require nothing (STEP-01)', () => {
    expect(() => RequireScope()).toThrow(
      new TypeError('"RequireScope" requires a scope, such as "desk:write"'),
    );
  });

  it.each(['', 'desk:read desk:write', 'a"', 'a\\b', 'naïve', 'a\n', 7, undefined])(
    'cannot require %j, which no token could have (STEP-01)',
    (scope) => {
      expect(() => RequireScope('desk:read', scope as string)).toThrow(
        new TypeError(
          `"RequireScope" cannot require ${JSON.stringify(scope)}: a scope must not contain spaces or quotes`,
        ),
      );
    },
  );
});
