import { describe, expect, it } from '@jest/globals';
import { buildOptionRows, loadHelp, readOptionRows } from './option-rows.js';

describe('docs/dev.md', () => {
  it('has every option of the command, as its help has them', async () => {
    const { options } = await loadHelp('dev');
    expect(readOptionRows('dev.md')).toEqual(buildOptionRows(options));
  });
});

describe('docs/migration/from-mcp-nest.md', () => {
  it('has every option of "migrate", as its help has them', async () => {
    const { options } = await loadHelp('migrate');
    expect(readOptionRows('migration/from-mcp-nest.md')).toEqual(buildOptionRows(options));
  });
});
