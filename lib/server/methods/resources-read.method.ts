import { Inject, Injectable } from '@nestjs/common';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { encodeReadResourceResult } from '../../core/protocol/encoding/encode-result.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { CacheHint } from '../../core/protocol/results.js';
import { InputRounds } from '../asking/input-rounds.js';
import type { ResourceEntry, ResourceTemplateEntry } from '../catalogue/entries.js';
import { ResourceRegistry, ResourceTemplateRegistry } from '../catalogue/registries.js';
import { Visibility } from '../catalogue/visibility/visibility.js';
import type { RequestContext } from '../context/request-context.js';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import { NOT_CACHEABLE, type ServerSettings } from '../settings/server-settings.js';
import type { McpMethod } from './mcp-method.interface.js';
import { buildReadResult } from './results/resource-contents.js';
import { limitTime } from './time-limit.js';

interface Found {
  readonly entry: ResourceEntry | ResourceTemplateEntry;
  readonly variables: object;
}

/** Reads a resource (MCP server/resources). */
@Injectable()
export class ResourcesReadMethod implements McpMethod {
  readonly method = 'resources/read';

  constructor(
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
    private readonly rounds: InputRounds,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    private readonly visibility: Visibility,
  ) {}

  async handle(context: RequestContext): Promise<Encoded> {
    const { uri } = context.params;
    if (typeof uri !== 'string') throw McpError.invalidParams('"uri" must be a string');
    const { revision } = context;
    const found = this.#find(uri, context.hidden);
    if (found === undefined) throw McpError.resourceNotFound(revision.resourceNotFoundCode, uri);
    const { entry } = found;
    const result = await limitTime(context, this.settings.callTimeoutMs, async () =>
      buildReadResult(await this.#call(found, uri, context), {
        uri,
        mimeType: entry.definition.mimeType,
        maximumBytes: this.settings.limits.resourceBytes,
        getSignal: () => context.signal,
      }),
    );
    if (result === undefined) throw McpError.resourceNotFound(revision.resourceNotFoundCode, uri);
    const hint = this.#findHint(found);
    return encodeReadResourceResult(result, revision, isFurtherRound(context) ? NOT_CACHEABLE : hint);
  }

  #call({ entry, variables }: Found, uri: string, context: RequestContext): Promise<unknown> {
    return this.rounds.complete(context, () => entry.invoke({ ...variables, uri }, context));
  }

  #find(uri: string, hidden: RequestContext['hidden']): Found | undefined {
    const entry = this.resources.find(uri);
    if (entry === undefined || hidden?.has(entry) === true) return this.templates.match(uri, hidden);
    return { entry, variables: {} };
  }

  /** What is not for everybody is kept for its caller alone. */
  #findHint({ entry }: Found): CacheHint {
    const hint = entry.cache ?? this.settings.cache.resourceContents;
    return this.visibility.isConditional([entry]) ? { ...hint, scope: 'private' } : hint;
  }
}

/** What depends on the client's answers is not what the URI alone stands for (MCP 2026-07-28 server/utilities/caching). */
function isFurtherRound({ params }: RequestContext): boolean {
  return params['inputResponses'] !== undefined || params['requestState'] !== undefined;
}
