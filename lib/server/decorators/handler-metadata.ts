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

/** The kind of handler and the options that one decorator declares for a method. */
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
 * Creates a decorator that appends to the handlers declared for a method, in source order. It throws a `TypeError`
 * anywhere except on an instance method.
 */
export function addHandlerMetadata(metadata: HandlerMetadata): MethodDecorator {
  return (...decorated: DecoratedTarget) => {
    const method = getDecoratedMethod(HANDLER_DECORATORS[metadata.kind], ...decorated);
    const present: readonly HandlerMetadata[] = Reflect.getOwnMetadata(HANDLER_METADATA, method) ?? [];
    Reflect.defineMetadata(HANDLER_METADATA, [metadata, ...present], method);
  };
}

/** The arguments of a decorator. On a class, it gets only the class. */
export type DecoratedTarget = readonly [
  target: object,
  name?: string | symbol | undefined,
  descriptor?: PropertyDescriptor | undefined,
];

/**
 * Returns the decorated method. Only TypeScript refuses other targets, except for static methods, and the server would
 * not find a handler there.
 *
 * @param decorator how the source has it, for example `@Tool()`
 * @throws {TypeError} if it is on something else
 */
export function getDecoratedMethod(decorator: string, ...decorated: DecoratedTarget): object {
  const [target, name, descriptor] = decorated;
  if (name === undefined)
    throw misplaced(decorator, decorated, 'on a class: put it on a method of the class');
  if (typeof target === 'function') {
    throw misplaced(decorator, decorated, 'on a static method: remove "static"');
  }
  const method: unknown = descriptor?.value;
  if (typeof method === 'function') return method;
  throw misplaced(decorator, decorated, `on no method: write "${String(name)}() { … }"`);
}

function misplaced(decorator: string, [target, name]: DecoratedTarget, problem: string): TypeError {
  const { name: className } = typeof target === 'function' ? target : target.constructor;
  const location = name === undefined ? className : `${className}.${String(name)}`;
  return new TypeError(`${decorator} on "${location}" is ${problem}`);
}
