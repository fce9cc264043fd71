import type { OpenObject } from './capabilities.js';
import type { Annotations, ResourceDefinition } from './definitions.js';
import { isObject } from './json-rpc.js';

interface ContentMembers {
  readonly annotations?: Annotations;
  readonly _meta?: OpenObject;
}

/** A string for a model or a person (MCP `TextContent`). */
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

/** Audio as base64, from 2025-03-26 on (MCP `AudioContent`). */
export interface AudioContent extends ContentMembers {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

/** A resource's content as a string (MCP `TextResourceContents`). */
export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: OpenObject;
}

/** A resource's bytes as base64 (MCP `BlobResourceContents`). */
export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly blob: string;
  readonly _meta?: OpenObject;
}

/** A resource's contents: a string or bytes. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A resource within a message (MCP `EmbeddedResource`). */
export interface EmbeddedResource extends ContentMembers {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/** A link to a resource, from 2025-06-18 on (MCP `ResourceLink`). */
export interface ResourceLink extends Omit<ResourceDefinition, 'annotations'>, ContentMembers {
  readonly type: 'resource_link';
}

/** One block of a tool result or a prompt message. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

/** Returns whether a value is a content block. It checks `type`, the properties that this type requires, and the media type. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isObject(value)) return false;
  switch (value['type']) {
    case 'text':
      return isText(value['text']);
    case 'image':
    case 'audio':
      return isText(value['data']) && isText(value['mimeType']);
    case 'resource':
      return isResourceContents(value['resource']) && isTextOrAbsent(value['resource'].mimeType);
    case 'resource_link':
      return isText(value['uri']) && isText(value['name']) && isTextOrAbsent(value['mimeType']);
    default:
      return false;
  }
}

/** Returns whether a value is a resource's contents: it has a URI, and either a string or bytes. */
export function isResourceContents(value: unknown): value is ResourceContents {
  return isObject(value) && isText(value['uri']) && (isText(value['text']) || isText(value['blob']));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}
