import { describe, expect, it } from '@jest/globals';
import {
  DEVELOPMENT_VARIABLE,
  deriveSessionSecret,
  findInvitation,
  formatInvitation,
} from '../../../../lib/core/development/invitation.js';

const invitation = { path: '/tmp/a@b/dev', secret: 's'.repeat(43) };
const environment = { [DEVELOPMENT_VARIABLE]: formatInvitation(invitation) };

describe('findInvitation()', () => {
  it('finds what was written, whatever the path has', () => {
    expect(findInvitation(environment)).toEqual(invitation);
  });

  it.each(['production', 'production ', 'PRODUCTION'])('finds nothing in production: "%s"', (given) => {
    expect(findInvitation({ ...environment, NODE_ENV: given })).toBeUndefined();
  });

  it.each(['', 'short@/tmp/dev', `${'s'.repeat(43)}@`, '/tmp/dev'])('finds nothing in %j', (value) => {
    expect(findInvitation({ [DEVELOPMENT_VARIABLE]: value })).toBeUndefined();
  });
});

describe('deriveSessionSecret()', () => {
  it('gives a secret that is long enough, and is not that of the invitation', () => {
    const secret = deriveSessionSecret(invitation);
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(secret).not.toBe(invitation.secret);
    expect(deriveSessionSecret(invitation)).toBe(secret);
  });
});
