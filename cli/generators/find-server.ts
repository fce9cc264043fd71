import { maskSource } from '../application/masked-source.js';
import { readObjectLiteral, type ObjectLiteral } from '../application/object-literal.js';
import type { SourceFile } from './list-sources.js';

/** A call of `McpModule` in a source, with its object argument; `undefined` if the argument is something else. */
export interface ModuleCall {
  readonly path: string;
  readonly options: ObjectLiteral | undefined;
  /** The key of the server that is named; nothing if none is. */
  readonly server: string | undefined;
  readonly isDefault: boolean;
}

/** Finds the calls of `McpModule` by the names of the methods. */
export function findCalls(
  { path, text }: SourceFile,
  methods: readonly ('forRoot' | 'forRootAsync' | 'forFeature')[],
): readonly ModuleCall[] {
  const masked = maskSource(text);
  const call = new RegExp(String.raw`\bMcpModule\s*\.\s*(?:${methods.join('|')})\s*\(\s*`, 'g');
  return [...masked.matchAll(call)].map(({ 0: { length }, index }) => {
    const opening = index + length;
    const options = masked.charAt(opening) === '{' ? readObjectLiteral(masked, opening) : undefined;
    const read = (name: string) => {
      const span = options?.members.get(name);
      return span && text.slice(span.start, span.end);
    };
    return {
      path,
      options,
      server: read('server')?.replaceAll(/^['"`]|['"`]$/g, ''),
      isDefault: read('isDefault') === 'true',
    };
  });
}

/** Selects the server that a key means; without a key the default one. */
export function selectServer(calls: readonly ModuleCall[], key: string | undefined): ModuleCall | undefined {
  if (key !== undefined) return calls.find(({ server }) => server === key);
  const named = calls.find(
    ({ server, isDefault }) => isDefault || server === undefined || server === 'default',
  );
  return named ?? (calls.length === 1 ? calls[0] : undefined);
}
