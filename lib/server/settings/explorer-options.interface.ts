import type { AuthGuardClass } from './auth-guard-class.interface.js';

/** Who sees the page that a browser gets at the endpoint. */
export interface ExplorerOptions {
  /**
   * A guard that decides who sees the page, on this machine or another. Required if `NODE_ENV` is `production`.
   * @default none: this machine alone is shown it
   */
  readonly guard?: AuthGuardClass;
  /**
   * Whether the server registers the page, and fetches its tokens, at `auth.authorizationServers` that let no page do so.
   * @default true; false if `NODE_ENV` is `production`
   */
  readonly loginRelay?: boolean;
}
