import { Inject } from '@nestjs/common';
import { PROPERTY_DEPS_METADATA, SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants.js';
import { describeClientToken } from './client-module.constants.js';

/** A property or parameter decorator. Constructor parameters have no key. */
type Injecting = (target: object, key: string | symbol | undefined, index: number | undefined) => void;

/**
 * Injects the client with this name.
 *
 * @example
 * constructor(@InjectMcpClient('desk') private readonly desk: McpClient) {}
 */
export function InjectMcpClient(name: string): PropertyDecorator & ParameterDecorator {
  const inject = Inject(describeClientToken(name)) as Injecting;
  return (target: object, key: string | symbol | undefined, index?: number) => {
    inject(target, key, index);
    if (index === undefined) deferToken(PROPERTY_DEPS_METADATA, 'type', target.constructor, name);
    else deferToken(SELF_DECLARED_DEPS_METADATA, 'param', target, name);
  };
}

/**
 * Makes Nest read the token at injection time, not when the class is defined, because only then are all registered
 * clients known, so that an error message can list them.
 */
function deferToken(metadata: string, member: 'param' | 'type', target: object, name: string): void {
  const dependencies: readonly object[] = Reflect.getMetadata(metadata, target) ?? [];
  const last = dependencies.at(-1);
  if (last === undefined) return;
  const get = () => describeClientToken(name);
  const deferred = Object.defineProperty({ ...last }, member, { get, enumerable: true });
  Reflect.defineMetadata(metadata, [...dependencies.slice(0, -1), deferred], target);
}
