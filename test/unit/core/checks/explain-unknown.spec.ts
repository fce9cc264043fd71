import { describe, expect, it } from '@jest/globals';
import { explainUnknown } from '../../../../lib/core/checks/option-checks.js';

const MANY = Array.from({ length: 40 }, (_, index) => `setting${index}Ms`);

const explain = (name: string, known: readonly string[], alias?: string) =>
  explainUnknown(name, { known, alias, qualify: (one) => `limits.${one}` });

describe('What is said of an unknown option', () => {
  it('names the nearest three of many, and no others (MOD-11)', () => {
    const text = explain('bodyByte', ['bodyBytes', 'bodyByts', 'bodyBites', 'bodyBytez', ...MANY]);
    expect(text).toBe(
      '(did you mean "limits.bodyBytes" or "limits.bodyByts" or "limits.bodyBytez"?) is not known',
    );
  });

  it('names one alone if the others are much less similar (MOD-11)', () => {
    expect(explain('includeTag', ['includeTags', 'excludeTags'])).toBe(
      '(did you mean "limits.includeTags"?) is not known: use one of includeTags, excludeTags',
    );
  });

  it('names the most similar of many if none is near (MOD-11)', () => {
    expect(explain('colour', ['color-scheme-of-all', ...MANY])).toMatch(
      /^is not known: the most similar ones are (?:"\w+", ){2}"\w+"; see all of them on the page "Configuration"$/,
    );
  });

  it('goes by what the name is elsewhere first (MOD-11)', () => {
    expect(explain('path', ['paths', ...MANY], 'mcpPath')).toBe(
      '(did you mean "limits.mcpPath"?) is not known',
    );
  });

  it('lists a few (MOD-11)', () => {
    expect(explain('x', ['one', 'two'])).toBe('is not known: use one of one, two');
  });
});
