/**
 * Checks what is about to be published; `npm publish` runs it first. A dry run says what is missing and goes on.
 *
 * A release is published by the workflow, which signs where it comes from (CONTRIBUTING.md, "Publishing").
 */
import { readFileSync } from 'node:fs';
import { findStrays, MANIFESTS, PLACEHOLDER, readRepositoryUrl } from './addresses.js';

const [manifest, ...others] = MANIFESTS.map(({ file }) => JSON.parse(readFileSync(file, 'utf8')));
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const isDry = process.env.npm_config_dry_run === 'true';

const faults = [
  ...checkAddresses(manifest),
  ...checkVersion(manifest),
  ...others.flatMap(checkTogether),
  ...checkPlace(manifest, process.env),
];
for (const fault of faults) console.error(isDry ? `A release would be refused: ${fault}` : fault);
process.exitCode = faults.length === 0 || isDry ? 0 : 1;

function checkAddresses(given) {
  const url = readRepositoryUrl(given);
  const strays = findStrays(given).map((member) => `"${member}"`);
  return [
    ...(url === PLACEHOLDER
      ? ['"repository" is a placeholder: say where the source is by "npm run repository -- <url>"']
      : []),
    ...(strays.length > 0
      ? [
          `${strays.join(', ')} in "package.json" must follow from "repository": run "npm run repository -- ${url}"`,
        ]
      : []),
  ];
}

function checkVersion({ version }) {
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm');
  return heading.test(changelog)
    ? []
    : [`"CHANGELOG.md" has no heading "## [${version}] - <date>": write the date in place of "unreleased"`];
}

/** Both packages are made from one commit. */
function checkTogether(other) {
  const isSame =
    other.version === manifest.version && readRepositoryUrl(other) === readRepositoryUrl(manifest);
  return isSame && findStrays(other).length === 0
    ? []
    : [`"${other.name}" must have the version and the repository of "${manifest.name}"`];
}

/** What is signed is that a commit of this repository was built by its workflow. */
function checkPlace(given, { GITHUB_ACTIONS, GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_REF }) {
  if (GITHUB_ACTIONS !== 'true')
    return ['A release is published by ".github/workflows/release.yml": push its tag'];
  const built = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  return [
    ...(readRepositoryUrl(given) === built
      ? []
      : [`"repository" must be "${built}", where this is built: the registry compares them`]),
    ...(GITHUB_REF === `refs/tags/v${given.version}`
      ? []
      : [`The tag must be "v${given.version}", as "version" in "package.json" says`]),
  ];
}
