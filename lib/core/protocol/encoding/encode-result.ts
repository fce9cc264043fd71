import type { ServerCapabilities } from '../capabilities.js';
import type { ContentBlock, ResourceContents } from '../content.js';
import type { Implementation } from '../definitions.js';
import { encodeAnnotations, type Encoded, encodeImplementation } from './encode-definition.js';
import { isObject, type ProgressToken } from '../json-rpc.js';
import { MetaKey } from '../meta-keys.js';
import type {
  CacheHint,
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  InitializeResult,
  ReadResourceResult,
} from '../results.js';
import type { Revision } from '../revisions.js';

/** Encodes a tool result, with the structured content and the content types that the revision defines. */
export function encodeCallToolResult(result: CallToolResult, revision: Revision): Encoded {
  const encoded: Encoded = { content: encodeContent(result.content, revision) };
  const { structuredContent, isError, _meta } = result;
  if (structuredContent !== undefined && showsStructured(structuredContent, revision)) {
    encoded['structuredContent'] = structuredContent;
  }
  if (isError !== undefined) encoded['isError'] = isError;
  if (_meta !== undefined) encoded['_meta'] = _meta;
  return encoded;
}

/** Encodes a resource's contents with its cache hint. */
export function encodeReadResourceResult(
  result: ReadResourceResult,
  revision: Revision,
  hint: CacheHint,
): Encoded {
  const { contents, _meta } = result;
  return {
    contents: revision.defines.definitionMeta ? contents : contents.map(withoutMeta),
    ...(_meta !== undefined && { _meta }),
    ...encodeCacheHint(hint, revision),
  };
}

/** Encodes a prompt's messages. */
export function encodeGetPromptResult(result: GetPromptResult, revision: Revision): Encoded {
  const { description, messages, _meta } = result;
  return {
    ...(description !== undefined && { description }),
    messages: messages.map(({ role, content }) => ({
      role,
      content: encodeBlock(content, revision),
    })),
    ...(_meta !== undefined && { _meta }),
  };
}

/**
 * Encodes at most a hundred completions (MCP server/utilities/completion); a cut list reports that there are more.
 */
export function encodeCompleteResult(result: CompleteResult): Encoded {
  const { values, total, hasMore } = result.completion;
  const shown = values.slice(0, MOST_COMPLETIONS);
  const isCut = shown.length < values.length;
  return {
    completion: {
      values: shown,
      total: isCut ? Math.max(total ?? 0, values.length) : total,
      hasMore: isCut ? true : hasMore,
    },
  };
}

const MOST_COMPLETIONS = 100;

/** Encodes the response to `initialize`. */
export function encodeInitializeResult(result: InitializeResult, revision: Revision): Encoded {
  const { protocolVersion, capabilities, serverInfo, instructions } = result;
  return {
    protocolVersion,
    capabilities: encodeServerCapabilities(capabilities, revision),
    serverInfo: encodeImplementation(serverInfo, revision),
    ...(instructions !== undefined && { instructions }),
  };
}

/** Encodes the server capabilities that the revision defines. */
export function encodeServerCapabilities(capabilities: ServerCapabilities, { defines }: Revision): Encoded {
  const { completions, tasks, ...always } = capabilities;
  return {
    ...always,
    ...(completions !== undefined && defines.completionsCapability && { completions }),
    ...(tasks !== undefined && defines.tasksCapability && { tasks }),
  };
}

/** Encodes how long a result may be cached, if the revision defines that. */
export function encodeCacheHint(hint: CacheHint, { defines }: Revision): Encoded {
  return defines.cacheHints ? { ttlMs: hint.ttlMs, cacheScope: hint.scope } : {};
}

/**
 * Adds the properties that the revision requires in every result to a freshly encoded result, in place.
 *
 * @see MCP 2026-07-28 basic, "Results"
 */
export function sealResult(result: Encoded, { defines }: Revision, serverInfo: Implementation): Encoded {
  if (defines.resultType) result['resultType'] ??= 'complete';
  if (!defines.resultServerInfo) return result;
  const meta = result['_meta'];
  result['_meta'] = isObject(meta)
    ? { ...meta, [MetaKey.serverInfo]: serverInfo }
    : { [MetaKey.serverInfo]: serverInfo };
  return result;
}

function showsStructured(value: unknown, { defines }: Revision): boolean {
  if (defines.structuredContent === 'none') return false;
  return defines.structuredContent === 'any' || isObject(value);
}

function encodeContent(content: readonly ContentBlock[], revision: Revision): readonly unknown[] {
  if (definesAllContent(revision)) return content;
  return content.map((block) => encodeBlock(block, revision));
}

/** Encodes one content block; a kind that the revision lacks becomes a `text` block. */
export function encodeBlock(block: ContentBlock, revision: Revision): unknown {
  if (definesAllContent(revision)) return block;
  const { defines } = revision;
  if (block.type === 'audio' && !defines.audio) {
    return { type: 'text', text: `[audio: ${block.mimeType}]` };
  }
  if (block.type === 'resource_link' && !defines.resourceLink) {
    return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` };
  }
  const annotations = encodeAnnotations(block.annotations, revision);
  return {
    ...block,
    annotations,
    _meta: defines.definitionMeta ? block._meta : undefined,
    ...(block.type === 'resource_link' && { icons: undefined }),
    ...(block.type === 'resource' && !defines.definitionMeta && { resource: withoutMeta(block.resource) }),
  };
}

function withoutMeta({ _meta, ...contents }: ResourceContents): Encoded {
  return contents;
}

/** Icons were the last addition to content. */
function definesAllContent({ defines }: Revision): boolean {
  return defines.icons;
}

/** The progress of a request (MCP basic/utilities/progress). */
export interface ProgressReport {
  readonly progressToken: ProgressToken;
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Encodes the progress properties that the revision defines. */
export function encodeProgress(report: ProgressReport, { defines }: Revision): Encoded {
  const { progressToken, progress, total, message } = report;
  return {
    progressToken,
    progress,
    ...(Number.isFinite(total) && { total }),
    ...(message !== undefined && defines.progressMessage && { message }),
  };
}

/** Returns whether a client requested progress. */
export function isProgressToken(value: unknown): value is ProgressToken {
  return typeof value === 'string' || Number.isInteger(value);
}
