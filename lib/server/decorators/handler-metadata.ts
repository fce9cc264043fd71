import 'reflect-metadata';
import type {
  AppOptions,
  CompleteOptions,
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from '../settings/handler-options.interface.js';
import { HANDLER_METADATA } from '../settings/mcp.constants.js';

/** What one decorator says of a method. */
export type HandlerMetadata =
  | { readonly kind: 'tool'; readonly options: ToolOptions }
  | { readonly kind: 'resource'; readonly options: ResourceOptions }
  | { readonly kind: 'resourceTemplate'; readonly options: ResourceTemplateOptions }
  | { readonly kind: 'app'; readonly options: AppOptions }
  | { readonly kind: 'prompt'; readonly options: PromptOptions }
  | { readonly kind: 'completion'; readonly options: CompleteOptions };

/** Which decorator it was. */
export type HandlerKind = HandlerMetadata['kind'];

/** How the source has each decorator. */
export const HANDLER_DECORATORS: Readonly<Record<HandlerKind, string>> = {
  tool: '@Tool()',
  resource: '@Resource()',
  resourceTemplate: '@ResourceTemplate()',
  app: '@App()',
  prompt: '@Prompt()',
  completion: '@Complete()',
};

/**
 * Makes a decorator that adds to what the method's other decorators say, in the order of the source. It throws a `TypeError`
 * if it does not stand on an instance method.
 */
export function addHandlerMetadata(metadata: HandlerMetadata): MethodDecorator {
  return (...place: DecoratedPlace) => {
    const method = getDecoratedMethod(HANDLER_DECORATORS[metadata.kind], ...place);
    const present: readonly HandlerMetadata[] = Reflect.getOwnMetadata(HANDLER_METADATA, method) ?? [];
    Reflect.defineMetadata(HANDLER_METADATA, [metadata, ...present], method);
  };
}

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
