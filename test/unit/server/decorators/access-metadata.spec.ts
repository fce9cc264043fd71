import { describe, expect, it } from '@jest/globals';
import {
  readAccessMetadata,
  Public,
  RequireScope,
} from '../../../../lib/server/decorators/access.decorators.js';

class Plain {
  open() {}

  @RequireScope('write', 'admin')
  guarded() {}

  @Public()
  shown() {}

  @Public()
  @RequireScope('write')
  contrary() {}
}

@RequireScope('read', 'admin')
class Protected {
  open() {}

  @RequireScope('write', 'read')
  guarded() {}

  @Public()
  shown() {}

  @Public()
  @RequireScope('write')
  contrary() {}
}

@Public()
class Shown {
  open() {}

  @RequireScope('write')
  guarded() {}

  @Public()
  shown() {}
}

@Public()
@RequireScope('read')
class Contrary {
  open() {}
}

/** A class that extends others and says nothing. */
class Silent extends Protected {}

@RequireScope('audit', 'read')
class Stricter extends Silent {
  own() {}

  override guarded() {}
}

@Public()
class Opened extends Stricter {
  @RequireScope('write')
  late() {}
}

@RequireScope('again')
class Closed extends Opened {}

type Method = (...args: never[]) => unknown;

const read = (classRef: { readonly prototype: object }, name: string) =>
  readAccessMetadata(classRef, (classRef.prototype as Record<string, Method>)[name]!);

describe('Who may call a method', () => {
  it.each<[string, { readonly prototype: object }, string, object]>([
    ['nobody says', Plain, 'open', {}],
    ['the method requires scopes', Plain, 'guarded', { requiredScopes: ['write', 'admin'] }],
    ['the method is public', Plain, 'shown', { isPublic: true }],
    ['the class requires scopes', Protected, 'open', { requiredScopes: ['read', 'admin'] }],
    ['both require scopes', Protected, 'guarded', { requiredScopes: ['read', 'admin', 'write'] }],
    ['the method of a class with scopes is public', Protected, 'shown', { isPublic: true }],
    ['the class is public', Shown, 'open', { isPublic: true }],
    ['the method of a public class requires scopes', Shown, 'guarded', { requiredScopes: ['write'] }],
    ['class and method are public', Shown, 'shown', { isPublic: true }],
  ])('is told where %s (STEP-06)', (_where, classRef, name, access) => {
    expect(read(classRef, name)).toStrictEqual(access);
  });

  it.each([
    [Plain, 'contrary', ['write']],
    [Protected, 'contrary', ['write']],
    [Contrary, 'open', ['read']],
  ] as const)('keeps both where one place says both: %p %s (STEP-06)', (classRef, name, requiredScopes) => {
    expect(read(classRef, name)).toStrictEqual({ isPublic: true, requiredScopes });
  });

  it.each<[string, { readonly prototype: object }, string, object]>([
    ['the scopes of the class it extends', Silent, 'open', { requiredScopes: ['read', 'admin'] }],
    ['with those of the method', Silent, 'guarded', { requiredScopes: ['read', 'admin', 'write'] }],
    ['unless the method is public', Silent, 'shown', { isPublic: true }],
    ['and its own behind them', Stricter, 'own', { requiredScopes: ['read', 'admin', 'audit'] }],
    ['but not of a method it overrides', Stricter, 'guarded', { requiredScopes: ['read', 'admin', 'audit'] }],
    ['nothing where it is public', Opened, 'own', { isPublic: true }],
    ['nothing of those before a public one', Opened, 'late', { requiredScopes: ['write'] }],
    ['only what comes behind a public one', Closed, 'own', { requiredScopes: ['again'] }],
    ['that and the method', Closed, 'late', { requiredScopes: ['again', 'write'] }],
  ])('is inherited by a class: %s (STEP-01)', (_what, classRef, name, access) => {
    expect(read(classRef, name)).toStrictEqual(access);
  });

  it('is not changed by what a class that extends another says (STEP-01)', () => {
    expect(read(Protected, 'open')).toStrictEqual({ requiredScopes: ['read', 'admin'] });
  });
});

describe('A method that another decorator puts something else in the place of', () => {
  /** Stands in for a decorator that measures, retries or caches. */
  const Replaced: MethodDecorator = (_prototype, _name, descriptor) => {
    const { value: method } = descriptor as { value?: unknown };
    const replacement = (...args: unknown[]): unknown => (method as (...all: unknown[]) => unknown)(...args);
    return { ...descriptor, value: replacement } as typeof descriptor;
  };

  class Measured {
    @RequireScope('above')
    @Replaced
    @RequireScope('below')
    close() {}
  }

  class Inherited extends Measured {}

  it.each([Measured, Inherited])('keeps its scopes, also where it is inherited: %p (STEP-01)', (classRef) => {
    expect(readAccessMetadata(classRef, classRef.prototype.close)).toEqual({
      requiredScopes: ['above', 'below'],
    });
  });
});
