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
import { getDecoratedMethod, type DecoratedPlace } from './get-decorated-method.js';

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
