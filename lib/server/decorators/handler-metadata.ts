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

/** The handler kind and the options that one decorator declares for a method. */
export type HandlerMetadata =
  | { readonly kind: 'tool'; readonly options: ToolOptions }
  | { readonly kind: 'resource'; readonly options: ResourceOptions }
  | { readonly kind: 'resourceTemplate'; readonly options: ResourceTemplateOptions }
  | { readonly kind: 'app'; readonly options: AppOptions }
  | { readonly kind: 'prompt'; readonly options: PromptOptions }
  | { readonly kind: 'completion'; readonly options: CompleteOptions };

/** Which decorator it was. */
export type HandlerKind = HandlerMetadata['kind'];

/** Each decorator as it is written in source code. */
export const HANDLER_DECORATORS: Readonly<Record<HandlerKind, string>> = {
  tool: '@Tool()',
  resource: '@Resource()',
  resourceTemplate: '@ResourceTemplate()',
  app: '@App()',
  prompt: '@Prompt()',
  completion: '@Complete()',
};

/**
 * Creates a decorator that appends to the handlers declared for a method, in source order. Throws a `TypeError`
 * unless it is on an instance method.
 */
export function addHandlerMetadata(metadata: HandlerMetadata): MethodDecorator {
  return (...decorated: DecoratedTarget) => {
    const method = getDecoratedMethod(HANDLER_DECORATORS[metadata.kind], ...decorated);
    const present: readonly HandlerMetadata[] = Reflect.getOwnMetadata(HANDLER_METADATA, method) ?? [];
    Reflect.defineMetadata(HANDLER_METADATA, [metadata, ...present], method);
  };
}

/** A decorator's arguments. On a class, it receives only the class. */
export type DecoratedTarget = readonly [
  target: object,
  name?: string | symbol | undefined,
  descriptor?: PropertyDescriptor | undefined,
];

/**
 * Returns the decorated method. Only TypeScript rejects other targets, except for static methods, and the server
 * would not find a handler there.
 *
 * @param decorator the decorator as written in source code, for example `@Tool()`
 * @throws {TypeError} if it is on anything else
 */
export function getDecoratedMethod(decorator: string, ...decorated: DecoratedTarget): object {
  const [target, name, descriptor] = decorated;
  if (name === undefined) throw misplaced(decorator, decorated, 'on a class: move it to one of its methods');
  if (typeof target === 'function') {
    throw misplaced(decorator, decorated, 'on a static method: remove "static"');
  }
  const method: unknown = descriptor?.value;
  if (typeof method === 'function') return method;
  throw misplaced(decorator, decorated, `not on a method: write "${String(name)}() { … }"`);
}

function misplaced(decorator: string, [target, name]: DecoratedTarget, problem: string): TypeError {
  const { name: className } = typeof target === 'function' ? target : target.constructor;
  const location = name === undefined ? className : `${className}.${String(name)}`;
  return new TypeError(`${decorator} on "${location}" is ${problem}`);
}
