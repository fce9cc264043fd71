import 'reflect-metadata';
import type { Type } from '@nestjs/common';

/** Adds a method to a class and decorates it and its first parameter as if it stood in the source. */
export function declareMethod(
  target: Type,
  name: string,
  declaration: {
    handler: (...parameters: never[]) => unknown;
    decorators: MethodDecorator[];
    firstParameter?: ParameterDecorator;
  },
): void {
  const { handler, decorators, firstParameter } = declaration;
  const prototype = target.prototype as object;
  // A function of its own per method, since decorators keep their metadata on the function.
  const method = function (this: unknown, ...parameters: never[]): unknown {
    return handler.apply(this, parameters);
  };
  const descriptor = { value: method, writable: true, configurable: true };
  Object.defineProperty(prototype, name, descriptor);
  Reflect.defineMetadata('design:paramtypes', [Object, Object], prototype, name);
  firstParameter?.(prototype, name, 0);
  for (const decorator of decorators) decorator(prototype, name, descriptor);
}
