import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path/posix';
import type { ResourceContents } from '../../../core/protocol/content.js';

/** The media types of files that skills usually contain, by extension. */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css'],
  ['.csv', 'text/csv'],
  ['.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['.gif', 'image/gif'],
  ['.htm', 'text/html'],
  ['.html', 'text/html'],
  ['.jpeg', 'image/jpeg'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript'],
  ['.json', 'application/json'],
  ['.md', 'text/markdown'],
  ['.mjs', 'text/javascript'],
  ['.pdf', 'application/pdf'],
  ['.png', 'image/png'],
  ['.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['.py', 'text/x-python'],
  ['.sh', 'application/x-sh'],
  ['.svg', 'image/svg+xml'],
  ['.toml', 'application/toml'],
  ['.ts', 'text/x-typescript'],
  ['.tsv', 'text/tab-separated-values'],
  ['.txt', 'text/plain'],
  ['.wasm', 'application/wasm'],
  ['.webp', 'image/webp'],
  ['.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['.xml', 'application/xml'],
  ['.yaml', 'application/yaml'],
  ['.yml', 'application/yaml'],
  ['.zip', 'application/zip'],
]);

const TEXT = /^text\/|[/+](?:json|xml|yaml|toml|x-sh)$/;

/** Finds the media type for a file's extension, or `undefined` if it is unknown. */
export function findMediaType(path: string): string | undefined {
  return BY_EXTENSION.get(extname(path).toLowerCase());
}

/** Builds a file's contents: as text if it is valid text, and as base64 otherwise. */
export function buildContents(uri: string, path: string, bytes: Uint8Array): ResourceContents {
  const known = findMediaType(path);
  // Clients verify digests, and text that is not UTF-8 would arrive as different bytes.
  const isText = isUtf8(bytes) && (known === undefined ? !bytes.includes(0) : TEXT.test(known));
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isText) return { uri, mimeType: known ?? 'text/plain', text: content.toString() };
  return { uri, mimeType: known ?? 'application/octet-stream', blob: content.toString('base64') };
}
