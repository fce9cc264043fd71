import type { MemberReplacement } from './replacement.interface.js';

/** A decorator of handlers. */
export type HandlerDecorator = 'Tool' | 'Resource' | 'ResourceTemplate' | 'Prompt';

/** The members of their options that have another name here; all others keep theirs. */
export const DECORATOR_OPTIONS: Readonly<Record<HandlerDecorator, readonly MemberReplacement[]>> = {
  Tool: [{ theirs: 'parameters', ours: 'inputSchema' }],
  Resource: [],
  ResourceTemplate: [],
  Prompt: [{ theirs: 'parameters', ours: 'arguments' }],
};

/** Tells whether a name is that of a decorator of handlers. */
export function isHandlerDecorator(name: string | undefined): name is HandlerDecorator {
  return name !== undefined && Object.hasOwn(DECORATOR_OPTIONS, name);
}
