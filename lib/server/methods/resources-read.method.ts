import { encodeReadResourceResult } from '../../core/protocol/encoding/encode-result.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { CacheHint, ReadResourceResult } from '../../core/protocol/results.js';
import type { InputRounds } from '../asking/input-rounds.js';
import type { NamedResource } from '../catalog/scopes/demand.js';
import type { ResourceAccess } from '../catalog/resource-access.js';
import type { Visibility } from '../catalog/visibility/visibility.js';
import type { RequestContext } from '../context/request-context.js';
import { serializeInstances } from '../schema/dto/serialize-instances.js';
import { NOT_CACHEABLE } from '../settings/mcp-options.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { HandlerLimits } from '../limits/handler-limits.js';
import type { McpMethod, MethodResult } from './mcp-method.interface.js';
import { boundResult } from './results/bounded-result.js';
import { refuseToShorten } from './results/shorten-result.js';
import { buildReadResult } from './results/resource-contents.js';
import { limitTime } from './time-limit.js';
import { APP_MIME_TYPE, buildPageMeta, isAppMimeType } from '../../core/protocol/apps/app-meta.js';
import type { ResourceContents } from '../../core/protocol/content.js';
import type { ResourceEntry, ResourceTemplateEntry } from '../catalog/entries.js';
import { HandlerResultError } from './results/handler-result.error.js';

/** Reads a resource (MCP server/resources). */
export class ResourcesReadMethod implements McpMethod {
  readonly method = 'resources/read';

  constructor(
    private readonly resources: ResourceAccess,
    private readonly rounds: InputRounds,
    private readonly settings: ServerSettings,
    private readonly visibility: Visibility,
    private readonly limits: HandlerLimits,
  ) {}

  countCall(context: RequestContext): Promise<void> | undefined {
    const { uri } = context.params;
    const found = typeof uri === 'string' ? this.resources.findNamed(uri, context.hidden) : undefined;
    if (found === undefined) return undefined;
    const { entry, variables } = found;
    const kind = 'template' in entry ? 'resourceTemplate' : 'resource';
    return this.limits.admit(kind, entry, { args: { ...variables, uri: found.uri }, context });
  }

  async handle(context: RequestContext): Promise<MethodResult> {
    const { uri } = context.params;
    if (typeof uri !== 'string') throw McpError.invalidParams('"uri" must be a string');
    const { revision } = context;
    const found = this.resources.findNamed(uri, context.hidden);
    if (found === undefined) throw McpError.resourceNotFound(revision.resourceNotFoundCode, uri);
    const { entry } = found;
    const result = await limitTime(context, this.settings.callTimeoutMs, () =>
      this.limits.run(entry, context, () => this.#read(found, uri, context)),
    );
    if (result === undefined) throw McpError.resourceNotFound(revision.resourceNotFoundCode, uri);
    const hint = this.#findHint(found);
    const encoded = encodeReadResourceResult(
      result,
      revision,
      isFurtherRound(context) ? NOT_CACHEABLE : hint,
    );
    return boundResult(encoded, entry.resultBytes ?? this.settings.limits.resultBytes, refuseContents);
  }

  /** The handler gets the URI that was judged, and the client finds its own in the contents. */
  #read(
    { entry, variables, uri: judged }: NamedResource,
    uri: string,
    context: RequestContext,
  ): Promise<ReadResourceResult | undefined> {
    return this.rounds.complete(
      context,
      () => entry.invoke({ ...variables, uri: judged }, context),
      (value) => this.#build(entry, value, { uri, context }),
    );
  }

  async #build(
    entry: NamedResource['entry'],
    value: unknown,
    { uri, context }: { uri: string; context: RequestContext },
  ): Promise<ReadResourceResult | undefined> {
    const result = await buildReadResult(serializeInstances(value), {
      uri,
      mimeType: entry.definition.mimeType,
      maxBytes: this.settings.limits.resourceBytes,
      getSignal: () => context.signal,
    });
    return entry.app === undefined ? result : completeAppContents(result, entry);
  }

  /** What is not for everybody is kept for its caller alone. */
  #findHint({ entry }: NamedResource): CacheHint {
    const hint = entry.cache ?? this.settings.cache.resourceContents;
    return this.visibility.isConditional([entry]) ? { ...hint, scope: 'private' } : hint;
  }
}

const refuseContents = refuseToShorten('The contents of the resource');

/** A result that depends on the client's answers must not be cached under the URI (MCP 2026-07-28 server/utilities/caching). */
function isFurtherRound({ params }: RequestContext): boolean {
  return params['inputResponses'] !== undefined || params['requestState'] !== undefined;
}

/**
 * Adds to the page of an app what hosts need: the media type, and the declared description unless the handler gives
 * another.
 *
 * @throws {HandlerResultError} if the page has another media type
 */
function completeAppContents(
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
