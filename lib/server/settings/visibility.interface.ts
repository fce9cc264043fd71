import type {
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from './handler-options.interface.js';
import type { VisibilityContext } from './scoped-call.interface.js';

/** The handler whose visibility is being decided. */
export interface VisibleHandler {
  readonly kind: 'tool' | 'resource' | 'resourceTemplate' | 'prompt';
  /** The name in its list. */
  readonly name: string;
  /** The options of its declaration, and the scopes that it requires. */
  readonly options: ToolOptions | ResourceOptions | ResourceTemplateOptions | PromptOptions;
  /** The class that defines the handler's method, for its metadata; absent if the handler was added at run time. */
  readonly classRef?: abstract new (...dependencies: never[]) => unknown;
  /** The method itself, for its metadata. */
  readonly method?: (...parameters: never[]) => unknown;
}

/**
 * Decides who sees a server's handlers.
 *
 * @example
 * class RoleVisibility implements HandlerVisibility { constructor(private readonly reflector: Reflector) {}
 *   isVisible({ classRef, method }: VisibleHandler, { auth }: VisibilityContext) {
 *     const role = method && classRef && this.reflector.getAllAndOverride(Role, [method, classRef]);
 *     return role === undefined || auth.claims?.extra['role'] === role;
 *   }
 * }
 */
export interface HandlerVisibility {
  /** Returns whether a caller sees a handler. If it throws, the handler is hidden and the error is logged. */
  isVisible(handler: VisibleHandler, context: VisibilityContext): boolean | Promise<boolean>;
}

/** A class that the application provides as a {@link HandlerVisibility}. */
export type HandlerVisibilityClass = new (...dependencies: never[]) => HandlerVisibility;
