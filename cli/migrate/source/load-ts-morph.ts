/** The library that parses TypeScript. */
export type TsMorph = typeof import('ts-morph');

/** Loads the library only when needed, because it is slow to load. It includes a compiler, because the application's may lack a programmatic API. */
export async function loadTsMorph(): Promise<TsMorph> {
  const loaded = (await import('ts-morph')) as TsMorph & { readonly default?: TsMorph };
  return loaded.default ?? loaded;
}
