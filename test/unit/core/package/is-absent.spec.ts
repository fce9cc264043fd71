import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { isPackageMissing } from '../../../../lib/core/package/missing-package.js';

const absent = (message: string) => Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND' });

describe('isAbsent', () => {
  it.each([
    "Cannot find module 'dice'",
    "Cannot find package 'dice' imported from",
    "Cannot find module 'dice/six.js'",
  ])('takes "%s" for an absent package', (message) =>
    expect(isPackageMissing('dice', absent(message))).toBe(true),
  );

  it('takes a missing dependency of the package, and any other fault, for another matter', () => {
    expect(isPackageMissing('dice', absent("Cannot find module 'dice-cup'"))).toBe(false);
    expect(isPackageMissing('dice', new Error('The die is cast'))).toBe(false);
    expect(isPackageMissing('dice', 'nothing')).toBe(false);
  });

  it("recognizes the error of another realm, as that of Jest is in an application's tests (APP-05)", () => {
    const fault: unknown = runInNewContext("new Error(\"Cannot find module 'dice' from 'a.cjs'\")");
    expect(fault).not.toBeInstanceOf(Error);
    expect(isPackageMissing('dice', fault)).toBe(true);
  });
});
