import {
  fail,
  flag,
  list,
  members,
  oneOf,
  several,
  text,
  type Check,
  type Checks,
} from '../../../core/checks/option-checks.js';
import { APP_PERMISSIONS, VISIBILITIES } from '../../../core/protocol/apps/app-meta.js';
import { findSourceFault } from '../../../core/protocol/apps/csp-source.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { toPath } from '../extensions/apps-settings.js';

const PAGE_SCHEMES = ['https', 'http'];
const CONNECTION_SCHEMES = [...PAGE_SCHEMES, 'wss', 'ws'];

function sources(...schemes: readonly string[]): Check {
  return list((option, value) => {
    const fault = findSourceFault(value, schemes);
    if (fault !== undefined) fail(option, `is ${JSON.stringify(value)}, and ${fault}`);
  });
}

const permission: Check = (option, value) => {
  if (value !== true && value !== false && !isObject(value)) fail(option, 'must be true, false or an object');
};

const permissions: Check = (option, value) => {
  if (Array.isArray(value)) return list(oneOf(...APP_PERMISSIONS))(option, value);
  members(Object.fromEntries(APP_PERMISSIONS.map((name) => [name, permission])))(option, value);
};

const place: Check = (option, value) => {
  if (!isPlace(value)) fail(option, 'must be a path such as "apps/board.html", or a "file:" URL');
};

const resource: Check = (option, value) => {
  if (isPlace(value)) return;
  fail(option, 'must be a path such as "apps/board.html", a "file:" URL, or the URI or the name of an app');
};

/** A URL may name a host, which no file is on. */
function isPlace(value: unknown): boolean {
  if (!(value instanceof URL) && (typeof value !== 'string' || value === '')) return false;
  try {
    return !toPath(value).includes('\0');
  } catch {
    return false;
  }
}

/** The checks of what hosts are told about a page. */
export const APP_POLICY_CHECKS: Checks = {
  csp: members({
    connectDomains: sources(...CONNECTION_SCHEMES),
    resourceDomains: sources(...PAGE_SCHEMES),
    frameDomains: sources(...PAGE_SCHEMES),
    baseUriDomains: sources(...PAGE_SCHEMES),
  }),
  permissions,
  domain: text,
  prefersBorder: flag,
};

/** The checks of where a page comes from, and what hosts are told about it. */
export const APP_PAGE_CHECKS: Checks = { ...APP_POLICY_CHECKS, file: place, directory: place };

const toolUi = members({ ...APP_POLICY_CHECKS, resource, visibility: several(oneOf(...VISIBILITIES)) });

/** Checks what shows the results of a tool. */
export const toolUiCheck: Check = (option, value) => {
  if (typeof value === 'string' || value instanceof URL) return resource(option, value);
  toolUi(option, value);
  const { resource: shown, visibility, ...policy } = value as Readonly<Record<string, unknown>>;
  if (shown !== undefined) return;
  if (visibility === undefined)
    fail(`${option}.resource`, 'is required: write for example "apps/board.html"');
  const [needless] = Object.keys(policy);
  if (needless !== undefined) {
    fail(`${option}.${needless}`, 'is about a page: give "resource" too, or say it in @App()');
  }
};

/** Checks where the pages of apps are. */
export const assertAppsOptions: Check = members({ directory: place, watch: flag, showToAll: flag });
