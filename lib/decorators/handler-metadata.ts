import 'reflect-metadata';
import type {
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
  | { readonly kind: 'prompt'; readonly options: PromptOptions }
  | { readonly kind: 'completion'; readonly options: CompleteOptions };

/** Which decorator it was. */
export type HandlerKind = HandlerMetadata['kind'];

/** Makes a decorator that adds to what the method's other decorators say, in the order of the source. */
export function addHandlerMetadata(metadata: HandlerMetadata): MethodDecorator {
  return (_prototype, _name, { value: method }: PropertyDescriptor) => {
    const present: readonly HandlerMetadata[] = Reflect.getOwnMetadata(HANDLER_METADATA, method) ?? [];
    Reflect.defineMetadata(HANDLER_METADATA, [metadata, ...present], method);
  };
}
