import { describe, expect, it } from '@jest/globals';
import { Public, RequireScope } from '../../../../lib/server/decorators/access.decorators.js';
import { ACCESS_METADATA } from '../../../../lib/server/settings/mcp.constants.js';

@Public()
class Help {
  @Public()
  hours() {
    return '9 to 17';
  }

  @Public()
  @RequireScope('desk:read')
  contrary() {
    return 'both';
  }

  @RequireScope('desk:read')
  @Public()
  contrariwise() {
    return 'both';
  }
}

const read = (owner: object): unknown => Reflect.getOwnMetadata(ACCESS_METADATA, owner);
const readMethod = (name: keyof Help): unknown =>
  Reflect.getOwnMetadata(ACCESS_METADATA, Help.prototype, name);

describe('Public', () => {
  it('says of a class and of a method that no token is needed (STEP-06)', () => {
    expect(read(Help)).toEqual({ isPublic: true });
    expect(readMethod('hours')).toEqual({ isPublic: true });
  });

  it('takes nothing back of what stands beside it, which start-up refuses (STEP-06)', () => {
    const both = { isPublic: true, scopes: ['desk:read'] };
    expect(readMethod('contrary')).toEqual(both);
    expect(readMethod('contrariwise')).toEqual(both);
  });

  it('leaves the method as it is (STEP-06)', () => {
    expect(new Help().hours()).toBe('9 to 17');
  });
});
