import type { RequestId } from '../json-rpc.js';

/**
 * Returns a successful response as JSON. Most answers to tool calls are a single text. Quoting only this text is much
 * faster than `JSON.stringify` for the objects around it.
 */
export function stringifyResponse(id: RequestId, result: object): string {
  const text = findOnlyText(result);
  if (text === undefined) return JSON.stringify({ jsonrpc: '2.0', id, result });
  const quoted = JSON.stringify(text);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${quoted}}]}}`;
}

/** An object that may say itself what it is as JSON. */
type Written = { readonly [name: string]: unknown };

/** Finds the text of a result that has nothing else. */
function findOnlyText(result: object): string | undefined {
  const { content, toJSON } = result as Written;
  const isOne = isPlainList(content) && content.length === 1 && toJSON === undefined;
  return isOne && Object.keys(result).length === 1 ? findText(content[0]) : undefined;
}

function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && !('toJSON' in value);
}

function findText(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null) return undefined;
  const { type, text, toJSON } = block as Written;
  if (type !== 'text' || typeof text !== 'string' || toJSON !== undefined) return undefined;
  const names = Object.keys(block);
  return names.length === 2 && names[0] === 'type' && names[1] === 'text' ? text : undefined;
}
