import type { MemberReplacement } from './replacement.interface.js';

/** A handler decorator. */
export type HandlerDecorator = 'Tool' | 'Resource' | 'ResourceTemplate' | 'Prompt';

/** The properties of their options that have different names here; all other names are the same. */
export const DECORATOR_OPTIONS: Readonly<Record<HandlerDecorator, readonly MemberReplacement[]>> = {
  Tool: [{ theirs: 'parameters', ours: 'inputSchema' }],
  Resource: [],
  ResourceTemplate: [],
  Prompt: [{ theirs: 'parameters', ours: 'arguments' }],
};

/** Checks whether a handler decorator has the name. */
export function isHandlerDecorator(name: string | undefined): name is HandlerDecorator {
  return name !== undefined && Object.hasOwn(DECORATOR_OPTIONS, name);
}
