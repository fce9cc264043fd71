/** The library that reads and knows TypeScript. */
export type TsMorph = typeof import('ts-morph');

/** Loads the library, which takes longer than other commands do. It brings its own compiler, since that of the application may have no interface for programs. */
export async function loadTsMorph(): Promise<TsMorph> {
  const loaded = (await import('ts-morph')) as TsMorph & { readonly default?: TsMorph };
  return loaded.default ?? loaded;
}
