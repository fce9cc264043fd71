import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { AppCsp, AppPermission, AppVisibility } from '../../../core/protocol/apps/app-meta.js';

/** The description of an app's page that hosts get before they show it. */
export interface AppPolicy {
  /** Origins from which the page may load. Hosts block all others. @default none */
  readonly csp?: AppCsp;
  /** Features of the browser that the page asks for, as a list of names or in the protocol's form. @default none */
  readonly permissions?:
    readonly AppPermission[] | { readonly [Permission in AppPermission]?: OpenObject | boolean };
  /** The page's own origin, in the form that the host documents. @default the host chooses */
  readonly domain?: string;
  /** Whether the host draws a border around the page. @default the host decides */
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

/** The source of an app's page, and its description for hosts. */
export interface AppPageOptions extends AppPolicy {
  /** The file of the page. The handler may change the page. Relative paths begin at `apps.directory`. @default what the handler returns */
  readonly file?: string | URL;
  /** The output folder of a bundler. The page is its `index.html`, with scripts, styles and images inlined. @default none */
  readonly directory?: string | URL;
}

/** The place of the apps' pages, and who sees them. */
export interface AppsOptions {
  /** The folder for relative paths of pages. @default the folder in which the process was started */
  readonly directory?: string | URL;
  /** Reads pages again when they change, and tells clients. @default whether `NODE_ENV` is `development` */
  readonly watch?: boolean;
  /** Also shows apps to clients that did not declare them. @default false */
  readonly showToAll?: boolean;
}
