import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CHECKS } from '../../../lib/cli/doctor/checks.js';

const page = readFileSync('docs/doctor.md', 'utf8');

describe('docs/doctor.md', () => {
  it('lists every check, in the order in which they are made (KIT-03)', () => {
    const listed = [...page.matchAll(/^\| `([a-z][a-z-]*)` /gm)].map(([, id]) => id);
    expect(listed).toEqual(CHECKS.map(({ id }) => id));
  });
});
