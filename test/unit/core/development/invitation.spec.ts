import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  deriveSessionSecret,
  DEVELOPMENT_VARIABLE,
  findDevConnection,
  formatDevConnection,
} from '../../../../lib/core/development/dev-connection.js';

const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-invitation-'));
const invitation = { path: join(folder, 'a@b', 'dev'), secret: 's'.repeat(43) };
mkdirSync(join(folder, 'a@b'));
writeFileSync(invitation.path, '');
const environment = { [DEVELOPMENT_VARIABLE]: formatDevConnection(invitation) };

afterAll(() => rmSync(folder, { recursive: true }));

describe('findInvitation()', () => {
  it('finds what was written, whatever the path has', () => {
    expect(findDevConnection(environment)).toEqual(invitation);
  });

  it.each(['production', 'production ', 'PRODUCTION'])('finds nothing in production: "%s"', (given) => {
    expect(findDevConnection({ ...environment, NODE_ENV: given })).toBeUndefined();
  });

  it.each(['', `short@${folder}`, `${'s'.repeat(43)}@`, folder])('finds nothing in %j', (value) => {
    expect(findDevConnection({ [DEVELOPMENT_VARIABLE]: value })).toBeUndefined();
  });

  it('finds nothing once the socket is gone', () => {
    const left = formatDevConnection({ ...invitation, path: join(folder, 'gone') });
    expect(findDevConnection({ [DEVELOPMENT_VARIABLE]: left })).toBeUndefined();
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
