import { describe, expect, it } from '@jest/globals';
import { assertOptions, SERVER, SERVER_OPTION_ALIASES } from '../../../../lib/server/settings/mcp-options.js';
import { MODULE } from '../../../../lib/server/settings/module-options.js';

const ALIASES = [...SERVER_OPTION_ALIASES];

describe('A name that another library has for an option', () => {
  it.each(ALIASES)('%s leads to "%s" (MOD-11)', (theirs, ours) => {
    const options = { serverInfo: { name: 'desk', version: '1.0.0' }, [theirs]: 'x' };
    expect(() => assertOptions(options)).toThrow(
      `"${theirs}" (did you mean "${ours}"?) is not a known option`,
    );
  });

  it('leads to an option that there is (MOD-11)', () => {
    const known = [...Object.keys(SERVER.rows), ...Object.keys(MODULE.rows)];
    const unknown = ALIASES.map(([, ours]) => ours.split('.')[0]).filter(
      (option = '') => !known.includes(option),
    );
    expect(unknown).toEqual([]);
  });

  it('is the first thing that is said of options without "serverInfo" (MOD-11)', () => {
    expect(() => assertOptions({ name: 'desk', version: '1.0.0' })).toThrow(
      'did you mean "serverInfo.name"?',
    );
  });
});
