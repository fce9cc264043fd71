import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as surface from '../../../../lib/client/module/index.js';

const SOURCE = 'lib/client/module/errors.ts';
const page = readFileSync('docs/clients.md', 'utf8');

/** Gives the code of each error that has one, by the source. */
function listCodes(): readonly (string | undefined)[] {
  return [...readFileSync(SOURCE, 'utf8').matchAll(/readonly code = '(\w+)'/g)].map(([, code]) => code);
}

describe('The errors in docs/clients.md', () => {
  it('are all that have a code (CLI-18)', () => {
    const listed = [...page.matchAll(/^\| `\w+Error` +\| `(\w+)`/gm)].map(([, code]) => code);
    expect(new Set(listed)).toEqual(new Set(listCodes()));
  });

  it('are exported by their names (CLI-18)', () => {
    const listed = [...page.matchAll(/^\| `(\w+Error)`/gm)].map(([, name = '']) => name);
    for (const name of listed) expect(surface).toHaveProperty(name);
  });
});
