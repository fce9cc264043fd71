import {
  APP_MIME_TYPE,
  APP_SCHEME,
  formatAppUri,
  isAppMimeType,
  isAppUri,
  type AppPermission,
  type AppResourceMeta,
} from '../../../core/protocol/apps/app-meta.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { toPath, type AppPageOptions, type AppPolicy } from '../../settings/extensions/app-options.js';
import type { AppOptions, ResourceOptions } from '../../settings/handler-options.interface.js';
import { CatalogError } from '../catalog.error.js';
import type { AppPage } from '../entries.js';

/** Options that may be set to `undefined`. */
type Given<Name extends keyof AppPageOptions> = { readonly [One in Name]: AppPageOptions[One] | undefined };

/**
 * Returns the resource options for an app.
 *
 * @throws {CatalogError} if its URI is not an app URI
 */
export function buildAppOptions(
  options: AppOptions & { readonly name: string },
  server: { readonly name: string },
): ResourceOptions & { readonly name: string } {
  const { uri = formatAppUri(server.name, options.name), ...others } = options;
  const { file, directory, csp, permissions, domain, prefersBorder, ...listed } = others;
  if (!isAppUri(uri)) {
    throw CatalogError.invalid(`The option "uri" is "${uri}": start it with "${APP_SCHEME}", or omit it`);
  }
  return { ...listed, uri, ui: onlyDefined({ file, directory, csp, permissions, domain, prefersBorder }) };
}

/** The options that make a resource or a template an app. */
type PageParts = Pick<ResourceOptions, 'uri' | 'mimeType' | 'ui'>;

/**
 * Builds the app page of a resource. Returns `undefined` if the resource is not an app page.
 *
 * @throws {CatalogError} if it cannot be an app page, or no host would show it
 */
export function buildAppPage({ uri, mimeType, ui }: PageParts): AppPage | undefined {
  if (!isAppUri(uri)) {
    if (ui === undefined) return undefined;
    throw CatalogError.invalid(
      `The option "ui" is only for apps, but "${uri}" is not an app URI: start "uri" with "${APP_SCHEME}"`,
    );
  }
  if (isOfOtherKind(mimeType) && ui === undefined) return undefined;
  selectMimeType(uri, mimeType);
  const { file, directory, ...policy } = ui ?? {};
  const source = buildSource({ file, directory });
  return { meta: buildAppMeta(policy), ...(source && { source }) };
}

/**
 * Returns the media type of a resource or a template. For app URIs, it defaults to the app media type.
 *
 * @throws {CatalogError} if an app has a different one
 */
export function selectMimeType(uri: string, mimeType: string | undefined): string | undefined {
  if (!isAppUri(uri)) return mimeType;
  if (mimeType === undefined || isAppMimeType(mimeType)) return APP_MIME_TYPE;
  if (isOfOtherKind(mimeType)) return mimeType;
  throw CatalogError.invalid(
    `The option "mimeType" is "${mimeType}", but hosts only show "${APP_MIME_TYPE}": omit it, or use a different URI scheme`,
  );
}

/**
 * Some hosts show pages of proprietary types, such as `text/html+skybridge`. Plain HTML is a mistake: no host shows it.
 */
function isOfOtherKind(mimeType: string | undefined): boolean {
  return mimeType !== undefined && !isAppMimeType(mimeType) && !/^text\/html\s*(?:;|$)/i.test(mimeType);
}

/** Builds a page's metadata for hosts. */
export function buildAppMeta({ csp, permissions, domain, prefersBorder }: AppPolicy): AppResourceMeta {
  const requested = permissions && buildPermissions(permissions);
  return {
    ...(csp && { csp }),
    ...(requested && Object.keys(requested).length > 0 && { permissions: requested }),
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
}

function buildPermissions(permissions: NonNullable<AppPolicy['permissions']>): {
  readonly [name: string]: OpenObject;
} {
  const given: readonly (readonly [string, OpenObject | boolean | undefined])[] = isList(permissions)
    ? permissions.map((name) => [name, true])
    : Object.entries(permissions);
  return Object.fromEntries(
    given.flatMap(([name, value]) =>
      value === undefined || value === false ? [] : [[name, value === true ? {} : value]],
    ),
  );
}

function isList(permissions: NonNullable<AppPolicy['permissions']>): permissions is readonly AppPermission[] {
  return Array.isArray(permissions);
}

function buildSource({ file, directory }: Given<'file' | 'directory'>): AppPage['source'] {
  if (file !== undefined && directory !== undefined) {
    throw CatalogError.invalid('The options "file" and "directory" both name the page: remove one of them');
  }
  if (file !== undefined) return { path: toPath(file), expects: 'file' };
  return directory === undefined ? undefined : { path: toPath(directory), expects: 'directory' };
}

function onlyDefined(options: Given<keyof AppPageOptions>): AppPageOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
