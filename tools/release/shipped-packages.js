/** Packages that the page of `explorer` imports. It has them, and what they need, in its file. */
export const PAGE_PACKAGES = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/ext-apps',
  'jose',
  'lru-cache',
  'preact',
  'zod',
];

/** Lists what the page brings of the packages that the root of a package develops with. */
export function listPagePackages({ devDependencies = {} }) {
  return PAGE_PACKAGES.filter((name) => name in devDependencies);
}

/**
 * Lists what is installed with a package: its dependencies and the peers that it needs.
 *
 * @returns {[name: string, isNeeded: boolean][]}
 */
export function listDependencies({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta = {},
}) {
  const optional = Object.keys(optionalDependencies ?? {});
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (peer) => peerDependenciesMeta[peer]?.optional !== true,
  );
  const needed = [...Object.keys(dependencies ?? {}), ...peers].filter((name) => !optional.includes(name));
  return [...needed.map((name) => [name, true]), ...optional.map((name) => [name, false])];
}
