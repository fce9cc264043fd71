import type {
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from './handler-options.interface.js';
import type { VisibilityContext } from './scoped-call.interface.js';

/** A handler whose visibility is decided. */
export interface VisibleHandler {
  readonly kind: 'tool' | 'resource' | 'resourceTemplate' | 'prompt';
  /** As its list shows it. */
  readonly name: string;
  /** The options of its declaration, and the scopes that it requires. */
  readonly options: ToolOptions | ResourceOptions | ResourceTemplateOptions | PromptOptions;
  /** The class of the handler's method, for its metadata; absent if the handler was added while the server ran. */
  readonly classRef?: abstract new (...dependencies: never[]) => unknown;
  /** The method itself, for its metadata. */
  readonly method?: (...parameters: never[]) => unknown;
}

/**
 * Decides who sees the handlers of a server.
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
