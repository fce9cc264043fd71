import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CHECKS } from '../../../cli/doctor/checks.js';
import { buildOptionRows, loadHelp, readOptionRows } from './option-rows.js';

const page = readFileSync('docs/doctor.md', 'utf8');

describe('docs/doctor.md', () => {
  it('lists every option, as the help has them (CLI-20)', async () => {
    const { options } = await loadHelp('doctor');
    expect(readOptionRows('doctor.md')).toEqual(buildOptionRows(options));
  });

  it('lists every check, in the order in which they are made (KIT-03)', () => {
    const listed = [...page.matchAll(/^\| `([a-z][a-z-]*)` /gm)].map(([, id]) => id);
    expect(listed).toEqual(CHECKS.map(({ id }) => id));
  });
});
