import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { STEPS } from '../../../../lib/server/dispatch/steps.js';

const PAGE = join(process.cwd(), 'docs/architecture.md');

describe('The steps of the pipeline', () => {
  it('stand in the architecture page in their order', () => {
    const [, section = ''] = readFileSync(PAGE, 'utf8').split('### The pipeline\n');
    const [table = ''] = section.split('\n## ');
    const rows = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(rows).toEqual(STEPS.map(({ name }) => name));
  });
});
