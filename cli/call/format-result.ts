import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { formatVisibleJson, makeLine, makeVisible } from '../visible-text.js';

/** The parts of a tool result that the command line reads. */
export interface ToolOutcome {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

/** Formats a tool result for a person: its text content, or its structured content if there is none. */
export function formatResult({ content, structuredContent }: ToolOutcome): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const hasText = blocks.some((block) => isObject(block) && block['type'] === 'text');
  const lines = blocks.filter(isObject).map(formatBlock);
  if (!hasText && structuredContent !== undefined) lines.push(formatVisibleJson(structuredContent));
  return lines.join('\n');
}

function formatBlock(block: { readonly [member: string]: unknown }): string {
  const { type, text, resource, mimeType, uri, name } = block;
  switch (type) {
    case 'text':
      return makeVisible(String(text));
    case 'resource':
      return isObject(resource) ? formatResource(resource) : '[resource]';
    case 'resource_link':
      return `[resource_link ${makeLine(`${String(name)} ${String(uri)}`)}]`;
    default:
      return `[${makeLine(`${String(type)} ${String(mimeType)}, ${countBytes(block['data'])} bytes`)}]`;
  }
}

/** Formats a resource's contents for a person: the text content, or a line about the binary data. */
export function formatResource({
  text,
  uri,
  mimeType,
  blob,
}: {
  readonly [member: string]: unknown;
}): string {
  if (typeof text === 'string') return makeVisible(text);
  return `[resource ${makeLine(`${String(uri)} ${String(mimeType)}, ${countBytes(blob)} bytes`)}]`;
}

function countBytes(base64: unknown): number {
  return typeof base64 === 'string' ? Buffer.byteLength(base64, 'base64') : 0;
}
