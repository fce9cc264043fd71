/** What a decorator is called with: nothing but a class if it stands on one. */
export type DecoratedPlace = readonly [
  target: object,
  name?: string | symbol | undefined,
  descriptor?: PropertyDescriptor | undefined,
];

/**
 * Returns the method with a decorator. Types refuse other places only in TypeScript, and cannot detect a static method. The
 * server would not find the handler there.
 *
 * @param decorator how the source has it, for example `@Tool()`
 * @throws {TypeError} if it is on something else
 */
export function getDecoratedMethod(decorator: string, ...place: DecoratedPlace): object {
  const [target, name, descriptor] = place;
  if (name === undefined) throw misplaced(decorator, place, 'on a class: put it on a method of the class');
  if (typeof target === 'function') {
    throw misplaced(decorator, place, 'on a static method: take "static" away');
  }
  const method: unknown = descriptor?.value;
  if (typeof method === 'function') return method;
  throw misplaced(decorator, place, `on no method: write "${String(name)}() { … }"`);
}

function misplaced(decorator: string, [target, name]: DecoratedPlace, fault: string): TypeError {
  const { name: className } = typeof target === 'function' ? target : target.constructor;
  const place = name === undefined ? className : `${className}.${String(name)}`;
  return new TypeError(`${decorator} on "${place}" is ${fault}`);
}
