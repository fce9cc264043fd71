import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFault, isAllowed, readLicence } from '../release/licences.js';

/**
 * Gives the licences of the packages that are in the page, which are to go with them.
 *
 * @param {readonly string[]} files what the page is made of
 * @throws {Error} if a licence is not allowed, or has no text
 */
export function formatLicences(files) {
  const folders = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  return [...folders].map(formatLicence).join('\n\n').replaceAll('--', '- -');
}

function formatLicence(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version } = manifest;
  const licence = readLicence(manifest);
  if (!isAllowed(licence)) throw new Error(describeFault({ name, version, licence }));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined)
    throw new Error(`"${name}" ${version} has no file with its licence, which must be in the page`);
  return `${name} ${version}, ${licence}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}
