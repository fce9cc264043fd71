import { describe, expect, it } from '@jest/globals';
import { explainMissingPackage } from '../../../../lib/core/package/missing-package.js';

const fail = (message: string, code?: string) => Object.assign(new Error(message), { code });

const explain = (fault: unknown) =>
  explainMissingPackage('minisearch', fault, (needed) => new TypeError(`"search" ${needed}`));

describe('explainAbsence', () => {
  it.each([
    fail(`Cannot find package 'minisearch' imported from /app/search.js`, 'ERR_MODULE_NOT_FOUND'),
    fail(
      `Cannot find module 'minisearch/SearchableMap'\nRequire stack:\n- /app/search.js`,
      'MODULE_NOT_FOUND',
    ),
    fail('Dynamic require of "minisearch" is not supported'),
    fail('No such built-in module: minisearch', 'ERR_UNKNOWN_BUILTIN_MODULE'),
    fail('Your application tried to access minisearch, but does not declare it', 'MODULE_NOT_FOUND'),
  ])('says how to install a package that is absent: %s (MOD-07)', (fault) => {
    expect(explain(fault)).toEqual(
      new TypeError('"search" needs a package that is not installed: run "npm install minisearch"'),
    );
  });

  it.each([
    new SyntaxError('Unexpected token'),
    fail(
      `Cannot find package 'words' imported from /app/node_modules/minisearch/a.js`,
      'ERR_MODULE_NOT_FOUND',
    ),
    fail(`Cannot find module 'minisearch-words'`, 'MODULE_NOT_FOUND'),
    'a text',
  ])('leaves the failure of a package that is there as it is: %s (MOD-07)', (fault) => {
    expect(explain(fault)).toBe(fault);
  });
});
