import type { CallerState } from './caller-state.interface.js';
import type { HttpView, SessionView } from './mcp-context.interface.js';
import type { RequestMeta } from '../../core/protocol/meta-keys.js';

/** The facts that decide whose state a request may use. */
export interface StateContext {
  readonly identity?: string | undefined;
  readonly session?: SessionView | undefined;
  readonly http?: HttpView | undefined;
  readonly meta: RequestMeta;
  /** Present if not the client makes the request. */
  readonly hosting?: object | undefined;
}

/** Gives each request the state of its caller. */
export interface StateSource {
  open(context: StateContext): CallerState;
}
