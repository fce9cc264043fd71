import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFault, isAllowed, readLicense } from '../release/licenses.js';

/**
 * Gives the licenses of the packages that are in the page, which are to go with them.
 *
 * @param {readonly string[]} files what the page is made of
 * @throws {Error} if a license is not allowed, or has no text
 */
export function formatLicenses(files) {
  const folders = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  return [...folders].map(formatLicense).join('\n\n').replaceAll('--', '- -');
}

function formatLicense(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version } = manifest;
  const license = readLicense(manifest);
  if (!isAllowed(license)) throw new Error(describeFault({ name, version, license }));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined)
    throw new Error(`"${name}" ${version} has no file with its license, which must be in the page`);
  return `${name} ${version}, ${license}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}
