import type { PageLoad } from './page-load.interface.js';

/** A call whose first address is written out, and what it loads. */
const CALLS: readonly { readonly by: string; readonly kind: PageLoad['kind']; readonly pattern: RegExp }[] = [
  { by: 'fetch()', kind: 'connection', pattern: /\bfetch\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g },
  {
    by: 'new WebSocket()',
    kind: 'connection',
    pattern: /\bnew\s+WebSocket\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g,
  },
  {
    by: 'new EventSource()',
    kind: 'connection',
    pattern: /\bnew\s+EventSource\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g,
  },
  { by: 'sendBeacon()', kind: 'connection', pattern: /\.sendBeacon\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g },
  {
    by: 'XMLHttpRequest.open()',
    kind: 'connection',
    pattern: /\.open\(\s*["'`](?:GET|POST|PUT|PATCH|DELETE|HEAD)["'`]\s*,\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/gi,
  },
  {
    by: 'new WebTransport()',
    kind: 'connection',
    pattern: /\bnew\s+WebTransport\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g,
  },
  { by: 'addModule()', kind: 'script', pattern: /\.addModule\(\s*(["'`])([^"'`\s]+?)\1/g },
  { by: 'import()', kind: 'script', pattern: /\bimport\(\s*(["'`])([^"'`\s]+?)\1/g },
  { by: 'import', kind: 'script', pattern: /\b(?:from|import)\s*(["'])((?:https?:|\.{0,2}\/)[^"'\s]+?)\1/g },
];

/** Finds addresses that a script has written out where it loads something; whether it ever does nobody knows. */
export function findScriptLoads(script: string): readonly PageLoad[] {
  return CALLS.flatMap(({ by, kind, pattern }) =>
    [...script.matchAll(pattern)].map(([, , url = '']) => ({ kind, url, by, isCertain: false })),
  );
}
