import { describe, expect, it } from '@jest/globals';
import { explainUnknown } from '../../../../lib/core/checks/option-checks.js';

const MANY = Array.from({ length: 40 }, (_, index) => `setting${index}Ms`);

const explain = (name: string, known: readonly string[], alias?: string) =>
  explainUnknown(name, { known, alias, qualify: (one) => `limits.${one}` });

describe('What is said of an unknown option', () => {
  it('names the nearest three of many, and no others (MOD-11)', () => {
    const text = explain('bodyByte', ['bodyBytes', 'bodyByts', 'bodyBites', 'bodyBytez', ...MANY]);
    expect(text).toBe(
      '(did you mean "limits.bodyBytes" or "limits.bodyByts" or "limits.bodyBytez"?) is not a known option',
    );
  });

  it('names one alone if the others are much less similar (MOD-11)', () => {
    expect(explain('includeTag', ['includeTags', 'excludeTags'])).toBe(
      '(did you mean "limits.includeTags"?) is not a known option: use one of includeTags, excludeTags',
    );
  });

  it('names the most similar of many if none is near (MOD-11)', () => {
    expect(explain('colour', ['color-scheme-of-all', ...MANY])).toMatch(
      /^is not a known option: similar options are (?:"\w+", ){2}"\w+"; see all options on the page "Configuration"$/,
    );
  });

  it('goes by what the name is elsewhere first (MOD-11)', () => {
    expect(explain('path', ['paths', ...MANY], 'mcpPath')).toBe(
      '(did you mean "limits.mcpPath"?) is not a known option',
    );
  });

  it('lists a few (MOD-11)', () => {
    expect(explain('x', ['one', 'two'])).toBe('is not a known option: use one of one, two');
  });
});
