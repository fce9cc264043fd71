import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as check from '../../../core/checks/option-checks.js';
import type { Check, Checks } from '../../../core/checks/option-checks.js';
import { optionGroup } from '../../../core/checks/option-group.js';
import {
  APP_PERMISSIONS,
  VISIBILITIES,
  type AppCsp,
  type AppPermission,
  type AppVisibility,
} from '../../../core/protocol/apps/app-meta.js';
import { findSourceProblem } from '../../../core/protocol/apps/csp-source.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { isObject } from '../../../core/protocol/json-rpc.js';

/** The page options that hosts receive before they show an app. */
export interface AppPolicy {
  /** Origins from which the page may load resources. Hosts block all others. @default none */
  readonly csp?: AppCsp;
  /** Browser features that the page requests, as a list of names or in the protocol's format. @default none */
  readonly permissions?:
    readonly AppPermission[] | { readonly [Permission in AppPermission]?: OpenObject | boolean };
  /** A dedicated origin for the page, in the format that the host documents. @default the host chooses */
  readonly domain?: string;
  /** Whether the host draws a border around the page. @default the host decides */
  readonly prefersBorder?: boolean;
}

/**
 * The app that shows a tool's results.
 *
 * @see SEP-1865, "Resource Discovery"
 */
export interface ToolUiOptions extends AppPolicy {
  /** A file, a folder with an `index.html`, or the URI or name of an app. @default none: the tool shows no app */
  readonly resource?: string | URL;
  /** Who may call the tool. @default both */
  readonly visibility?: readonly AppVisibility[];
}

/** The source of an app's page, and its description for hosts. */
export interface AppPageOptions extends AppPolicy {
  /**
   * The page's file, which the handler may change. Paths are relative to `apps.directory`.
   * @default none: the handler returns the page
   */
  readonly file?: string | URL;
  /**
   * A bundler's output folder. The page is its `index.html`, with scripts, styles and images inlined.
   * @default none
   */
  readonly directory?: string | URL;
}

/** Where app pages are, and which clients see them. */
export interface AppsOptions {
  /** The folder for relative page paths. @default the working directory */
  readonly directory?: string | URL;
  /**
   * Reloads pages when they change, and notifies clients.
   * @default true if `NODE_ENV` is `development`, otherwise false
   */
  readonly watch?: boolean;
  /** Also shows apps to clients that did not declare them. @default false */
  readonly showToAll?: boolean;
}

const PAGE_SCHEMES = ['https', 'http'];
const CONNECTION_SCHEMES = [...PAGE_SCHEMES, 'wss', 'ws'];

function sources(...schemes: readonly string[]): Check {
  return check.list((option, value) => {
    const problem = findSourceProblem(value, schemes);
    if (problem !== undefined) check.fail(option, `is ${JSON.stringify(value)}, but ${problem}`);
  });
}

const permission: Check = (option, value) => {
  if (value !== true && value !== false && !isObject(value))
    check.fail(option, 'must be true, false or an object');
};

const permissions: Check = (option, value) => {
  if (Array.isArray(value)) return check.list(check.oneOf(...APP_PERMISSIONS))(option, value);
  check.properties(Object.fromEntries(APP_PERMISSIONS.map((name) => [name, permission])))(option, value);
};

const location: Check = (option, value) => {
  if (!isLocation(value)) check.fail(option, 'must be a path such as "apps/board.html", or a "file:" URL');
};

const resource: Check = (option, value) => {
  if (isLocation(value)) return;
  check.fail(
    option,
    'must be a path such as "apps/board.html", a "file:" URL, or the URI or the name of an app',
  );
};

/** A `file:` URL with a host is not a local file. */
function isLocation(value: unknown): boolean {
  if (!(value instanceof URL) && (typeof value !== 'string' || value === '')) return false;
  try {
    return !toPath(value).includes('\0');
  } catch {
    return false;
  }
}

/** The checks on page options for hosts. */
export const APP_POLICY_CHECKS: Checks = {
  csp: check.properties({
    connectDomains: sources(...CONNECTION_SCHEMES),
    resourceDomains: sources(...PAGE_SCHEMES),
    frameDomains: sources(...PAGE_SCHEMES),
    baseUriDomains: sources(...PAGE_SCHEMES),
  }),
  permissions,
  domain: check.nonEmptyString,
  prefersBorder: check.flag,
};

/** The checks on a page's source and its options for hosts. */
export const APP_PAGE_CHECKS: Checks = { ...APP_POLICY_CHECKS, file: location, directory: location };

const toolUi = check.properties({
  ...APP_POLICY_CHECKS,
  resource,
  visibility: check.nonEmptyList(check.oneOf(...VISIBILITIES)),
});

/** Checks a tool's `ui` option. */
export const toolUiCheck: Check = (option, value) => {
  if (typeof value === 'string' || value instanceof URL) return resource(option, value);
  toolUi(option, value);
  const { resource: shown, visibility, ...policy } = value as Readonly<Record<string, unknown>>;
  if (shown !== undefined) return;
  if (visibility === undefined)
    check.fail(`${option}.resource`, 'is required: set it to a value such as "apps/board.html"');
  const [needless] = Object.keys(policy);
  if (needless !== undefined) {
    check.fail(`${option}.${needless}`, 'applies to a page: set "resource" as well, or declare it in @App()');
  }
};

export const APPS = optionGroup<AppsOptions>({
  directory: [location, () => process.cwd()],
  watch: [check.flag, () => process.env['NODE_ENV'] === 'development'],
  showToAll: [check.flag, false],
});

/** Where app pages are, with all defaults applied. */
export interface AppsSettings extends Required<AppsOptions> {
  /** An absolute path. */
  readonly directory: string;
}

/** Applies all defaults. */
export function buildAppsSettings(options?: AppsOptions): AppsSettings {
  const settings = APPS.build(options);
  return { ...settings, directory: resolve(toPath(settings.directory)) };
}

/** Returns the path of a file from a path or a `file:` URL. */
export function toPath(given: string | URL): string {
  const isUrl = given instanceof URL || given.startsWith('file:');
  return isUrl ? fileURLToPath(given) : given;
}
