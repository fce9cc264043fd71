import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { AppCsp, AppPermission, AppVisibility } from '../../../core/protocol/apps/app-meta.js';

/** What hosts are told about the page of an app before they show it. */
export interface AppPolicy {
  /** Origins from which the page may load; hosts block all others. @default none */
  readonly csp?: AppCsp;
  /** Features of the browser that it asks for, as a list of names or as the protocol has them. @default none */
  readonly permissions?:
    readonly AppPermission[] | { readonly [Permission in AppPermission]?: OpenObject | boolean };
  /** Its own origin, in the form that the host documents. @default the host chooses */
  readonly domain?: string;
  /** Whether the host draws a border around it. @default the host decides */
  readonly prefersBorder?: boolean;
}

/**
 * The app that shows the results of a tool.
 *
 * @see SEP-1865, "Resource Discovery"
 */
export interface ToolUiOptions extends AppPolicy {
  /** A file, a folder with an `index.html`, or an app: its URI or its name. @default none: the tool shows nothing itself */
  readonly resource?: string | URL;
  /** Who may call the tool. @default both */
  readonly visibility?: readonly AppVisibility[];
}

/** Where the page of an app comes from, and what hosts are told about it. */
export interface AppPageOptions extends AppPolicy {
  /** The page; the handler may change it. Relative paths begin at `apps.directory`. @default what the handler returns */
  readonly file?: string | URL;
  /** A folder that a bundler made: its `index.html`, with scripts, styles and images put into it. @default none */
  readonly directory?: string | URL;
}

/** Where the pages of apps are, and who sees them. */
export interface AppsOptions {
  /** Where relative paths of pages begin. @default the folder in which the process was started */
  readonly directory?: string | URL;
  /** Reads pages again when they change, and tells clients. @default whether `NODE_ENV` is `development` */
  readonly watch?: boolean;
  /** Shows apps also to clients that did not declare them. @default false */
  readonly showToAll?: boolean;
}
