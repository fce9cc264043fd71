import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { PRODUCTION_CHECKS } from '../../../cli/doctor/checks/production.checks.js';
import { ACCESS_CHECKS, OPERATION_CHECKS } from '../../../lib/server/production/settings-checks.js';
import { DEPLOYMENT_CHECKS } from '../../../lib/server/production/deployment-checks.js';

const [, checklist = ''] = readFileSync('docs/deployment.md', 'utf8').split('## Checklist');
const rows = [...checklist.matchAll(/^\| `([a-z-]+)` +\| ([^|]*) \| ([^|]*) \|/gm)].map(
  ([, id = '', ofSettings = '', ofUrl = '']) => ({
    id,
    isOfSettings: ofSettings.trim() !== '',
    isOfUrl: ofUrl.trim() !== '',
  }),
);

describe('The checklist of docs/deployment.md', () => {
  it('has every check of settings (KIT-03)', () => {
    const ids = [...ACCESS_CHECKS, ...OPERATION_CHECKS, ...DEPLOYMENT_CHECKS].map(({ id }) => id);
    const listed = rows.filter(({ isOfSettings }) => isOfSettings).map(({ id }) => id);
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });

  it('has every check of a running server (KIT-03)', () => {
    const listed = rows.filter(({ isOfUrl }) => isOfUrl).map(({ id }) => id);
    expect(listed.toSorted()).toEqual(PRODUCTION_CHECKS.map(({ id }) => id).toSorted());
  });
});
