import { declaresExtension, type ClientCapabilities, type OpenObject } from '../capabilities.js';
import { isObject } from '../json-rpc.js';

/** The published id of the extension (SEP-1865). */
export const APPS_EXTENSION_ID = 'io.modelcontextprotocol/ui';

/** The media type of an app page. */
export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

/** The scheme of app URIs. */
export const APP_SCHEME = 'ui://';

/** The `_meta` property that describes an app. */
export const UI_META_KEY = 'ui';

/** The flat key in a tool's `_meta`, for hosts that predate the specification. */
export const FLAT_RESOURCE_URI_KEY = 'ui/resourceUri';

/** The caller that may use a tool: the model, or the app. */
export type AppVisibility = 'model' | 'app';

export const VISIBILITIES: readonly AppVisibility[] = ['model', 'app'];

/** A browser feature that an app may request. */
export type AppPermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

export const APP_PERMISSIONS: readonly AppPermission[] = [
  'camera',
  'microphone',
  'geolocation',
  'clipboardWrite',
];

/** Origins that an app page may load from (SEP-1865 `McpUiResourceCsp`). */
export interface AppCsp {
  /** Origins that its scripts may connect to: `fetch`, `XMLHttpRequest`, `WebSocket`. @default none */
  readonly connectDomains?: readonly string[];
  /** Origins that its scripts, styles, images, fonts and media may load from. @default none */
  readonly resourceDomains?: readonly string[];
  /** Origins that frames inside it may have. @default none */
  readonly frameDomains?: readonly string[];
  /** Origins that its `<base>` may name. @default none */
  readonly baseUriDomains?: readonly string[];
}

/** An app page's metadata for hosts (SEP-1865 `McpUiResourceMeta`). */
export interface AppResourceMeta {
  readonly csp?: AppCsp;
  readonly permissions?: { readonly [Permission in AppPermission]?: OpenObject };
  readonly domain?: string;
  readonly prefersBorder?: boolean;
}

/** A tool's app metadata for hosts (SEP-1865 `McpUiToolMeta`). */
export interface AppToolMeta {
  readonly resourceUri?: string;
  readonly visibility?: readonly AppVisibility[];
}

/** The `_meta` of a tool that apps must not call. By default, they may call all tools of their server. */
export const MODEL_ONLY: OpenObject = { [UI_META_KEY]: { visibility: ['model'] } };

/**
 * Builds an app's URI from the server name and the app name.
 *
 * @example
 * formatAppUri('My desk', 'pages/board.html'); // ui://my-desk/pages/board.html
 */
export function formatAppUri(server: string, name: string): string {
  const host =
    server
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]+/g, '-')
      .replaceAll(/^[-.]+|[-.]+$/g, '') || 'app';
  return `${APP_SCHEME}${host}/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns whether a URI belongs to an app. */
export function isAppUri(uri: string): boolean {
  return uri.slice(0, APP_SCHEME.length).toLowerCase() === APP_SCHEME;
}

/** Returns whether a media type is the app media type. Spaces, quotes and case do not matter. */
export function isAppMimeType(mimeType: unknown): boolean {
  if (typeof mimeType !== 'string') return false;
  if (mimeType === APP_MIME_TYPE) return true;
  const [essence = '', ...parameters] = mimeType.split(';').map((part) => part.trim().toLowerCase());
  return essence === 'text/html' && parameters.some((part) => /^profile="?mcp-app"?$/.test(part));
}

/** Returns whether a client declares support for apps with this media type. */
export function declaresApps(capabilities: ClientCapabilities): boolean {
  if (!declaresExtension(capabilities, APPS_EXTENSION_ID)) return false;
  const declared: unknown = capabilities.extensions?.[APPS_EXTENSION_ID];
  const types = isObject(declared) ? declared['mimeTypes'] : undefined;
  return Array.isArray(types) && types.some(isAppMimeType);
}

/** Builds the `_meta` with a page's requests to its host. It is empty if there are none. */
export function buildPageMeta(meta: AppResourceMeta): OpenObject {
  return Object.keys(meta).length === 0 ? {} : { [UI_META_KEY]: meta };
}

/** Builds the `_meta` that links a tool to its app. Hosts read one key or the other. */
export function buildToolMeta({ resourceUri, visibility }: AppToolMeta): OpenObject {
  return {
    [UI_META_KEY]: {
      ...(resourceUri !== undefined && { resourceUri }),
      ...(visibility && { visibility }),
    },
    ...(resourceUri !== undefined && { [FLAT_RESOURCE_URI_KEY]: resourceUri }),
  };
}
