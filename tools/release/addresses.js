/** Stands where nobody has said yet where the source is. Names below `.invalid` lead nowhere (RFC 2606 §2); nothing is published from there. */
export const PLACEHOLDER = 'https://repository.invalid/nestjs-mcp';

/** The published packages: the files that describe them, and the folders in which they are. */
export const MANIFESTS = [{ file: 'package.json' }, { file: 'cli/package.json', directory: 'cli' }];

/** Builds what a `package.json` says of a repository: all of it follows from its URL, and from the folder of the package. */
export function buildAddresses(url, directory) {
  return {
    homepage: `${url}#readme`,
    repository: { type: 'git', url: `git+${url}.git`, ...(directory && { directory }) },
    bugs: { url: `${url}/issues` },
  };
}

/** Gives the URL of the repository that a `package.json` names, as a browser would have it. */
export function readRepositoryUrl({ repository }) {
  return (repository?.url ?? '').replace(/^git\+/, '').replace(/\.git$/, '');
}

/** Names the members of a `package.json` that do not follow from the URL of its repository. */
export function findStrays(manifest) {
  const wanted = buildAddresses(readRepositoryUrl(manifest), manifest.repository?.directory);
  return Object.keys(wanted).filter(
    (member) => JSON.stringify(manifest[member]) !== JSON.stringify(wanted[member]),
  );
}
