import { APP_MIME_TYPE, buildPageMeta, isAppMimeType } from '../../../core/protocol/apps/app-meta.js';
import type { ResourceContents } from '../../../core/protocol/content.js';
import type { ReadResourceResult } from '../../../core/protocol/results.js';
import type { ResourceEntry, ResourceTemplateEntry } from '../../catalogue/entries.js';
import { HandlerResultError } from './handler-result.error.js';

/**
 * Adds to the page of an app what hosts need: the media type, and the declared description unless the handler gives
 * another.
 *
 * @throws {HandlerResultError} if the page has another media type
 */
export function completeAppContents(
  result: ReadResourceResult | undefined,
  entry: ResourceEntry | ResourceTemplateEntry,
): ReadResourceResult | undefined {
  if (result === undefined) return undefined;
  const declared = { ...entry.definition._meta, ...(entry.app && buildPageMeta(entry.app.meta)) };
  return { ...result, contents: result.contents.map((contents) => complete(contents, declared)) };
}

function complete(contents: ResourceContents, declared: object): ResourceContents {
  const { uri, mimeType = APP_MIME_TYPE, _meta = {} } = contents;
  if (!isAppMimeType(mimeType)) {
    throw new HandlerResultError(
      `The app "${uri}" has the media type "${mimeType}": give "${APP_MIME_TYPE}", or none`,
    );
  }
  if ('text' in contents && !contents.text.includes('<')) {
    throw new HandlerResultError(`The app "${uri}" is no HTML: give a whole page as text or bytes`);
  }
  const meta = { ...declared, ..._meta };
  return {
    ...contents,
    mimeType: APP_MIME_TYPE,
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}
