import type { AuthGuardClass } from './auth-guard-class.interface.js';

/** Who sees the page that browsers get at the endpoint. */
export interface ExplorerOptions {
  /** A guard that decides who sees the page, from this machine or another; required if `NODE_ENV` is `production`. @default none: this machine alone is shown it */
  readonly guard?: AuthGuardClass;
}
