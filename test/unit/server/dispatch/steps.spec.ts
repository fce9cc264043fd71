import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { getParts } from '../../../support/applications/get-parts.js';
import { DuplexClient } from '../../support/duplex-client.js';

const PAGE = join(process.cwd(), 'docs/architecture.md');

describe('The steps of a request', () => {
  it('stand in the architecture page in their order', async () => {
    const [, section = ''] = readFileSync(PAGE, 'utf8').split('### Request steps\n');
    const [table = ''] = section.split('\n## ');
    const rows = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    const desk = await DuplexClient.open(class Nothing {});
    const { steps } = getParts(desk.app);
    await desk.close();
    expect(rows).toEqual(steps.map((step) => step.constructor.name));
  });
});
