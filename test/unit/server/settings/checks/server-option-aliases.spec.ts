import { describe, expect, it } from '@jest/globals';
import { assertOptions, OPTION_NAMES } from '../../../../../lib/server/settings/checks/assert-options.js';
import { MODULE_SETTINGS_CHECKS } from '../../../../../lib/server/settings/checks/assert-module-settings.js';
import { SERVER_OPTION_ALIASES } from '../../../../../lib/server/settings/checks/server-option-aliases.js';

const ALIASES = [...SERVER_OPTION_ALIASES];

describe('A name that another library has for an option', () => {
  it.each(ALIASES)('%s leads to "%s" (MOD-11)', (theirs, ours) => {
    const options = { serverInfo: { name: 'desk', version: '1.0.0' }, [theirs]: 'x' };
    expect(() => assertOptions(options)).toThrow(`"${theirs}" (did you mean "${ours}"?) is not known`);
  });

  it('leads to an option that there is (MOD-11)', () => {
    const known = [...OPTION_NAMES, ...Object.keys(MODULE_SETTINGS_CHECKS)];
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
