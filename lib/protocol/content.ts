import type { OpenObject } from './capabilities.js';
import type { Annotations, ResourceDefinition } from './definitions.js';

interface ContentMembers {
  readonly annotations?: Annotations;
  readonly _meta?: OpenObject;
}

/** Plain text (MCP `TextContent`). */
export interface TextContent extends ContentMembers {
  readonly type: 'text';
  readonly text: string;
}

/** An image as base64 (MCP `ImageContent`). */
export interface ImageContent extends ContentMembers {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

/** Sound as base64, from 2025-03-26 on (MCP `AudioContent`). */
export interface AudioContent extends ContentMembers {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

/** The text of a resource (MCP `TextResourceContents`). */
export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: OpenObject;
}

/** The bytes of a resource as base64 (MCP `BlobResourceContents`). */
export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly blob: string;
  readonly _meta?: OpenObject;
}

/** The contents of a resource: text or bytes. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A resource within a message (MCP `EmbeddedResource`). */
export interface EmbeddedResource extends ContentMembers {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/** A pointer to a resource, from 2025-06-18 on (MCP `ResourceLink`). */
export interface ResourceLink extends Omit<ResourceDefinition, 'annotations'>, ContentMembers {
  readonly type: 'resource_link';
}

/** One block of a tool result or a prompt message. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

const CONTENT_TYPES: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** Tells whether a value is a content block, by its `type`. */
export function isContentBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && hasContentType(value);
}

function hasContentType(value: object): boolean {
  if (!('type' in value) || !CONTENT_TYPES.has(value.type)) return false;
  const { type } = value;
  if (type === 'text') return 'text' in value && typeof value.text === 'string';
  if (type === 'resource') return 'resource' in value && typeof value.resource === 'object';
  if (type === 'resource_link') return 'uri' in value && typeof value.uri === 'string';
  return 'data' in value && typeof value.data === 'string';
}
