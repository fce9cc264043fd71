import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describeEntries } from './api-extractor.js';
import { selectDeclarations } from './declarations.js';

/**
 * Describes what a package offers: one report for each entry that has types, and one of all names.
 *
 * @param {string} folder the package, with its declarations
 * @returns {Promise<Map<string, string>>} texts by the names of their files
 */
export async function readSurface(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.entries(manifest.exports).filter(([, { types }]) => types !== undefined);
  const files = entries.map(([, { types }]) => join(folder, types));
  const descriptions = files.length === 0 ? [] : describeEntries(folder, files);
  const options = { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' };
  const reports = entries.map(async ([entry], index) => [
    `${entry === '.' ? 'index' : entry.slice(2).replaceAll('/', '-')}.md`,
    formatReport(nameImport(manifest, entry), selectDeclarations(await format(descriptions[index], options))),
  ]);
  return new Map([['names.md', formatNames(folder, manifest)], ...(await Promise.all(reports))]);
}

/** Names an entry as an import does. */
function nameImport({ name }, entry) {
  return `${name}${entry.slice(1)}`;
}

function formatReport(name, { imports, exported, mentioned }) {
  const parts = [
    `# \`${name}\``,
    'Written by `npm run surface`. `npm run pack:check` refuses a package that has another surface.',
    '## Exports',
    formatCode([imports.join('\n'), ...exported]),
  ];
  const explanation =
    'Exports refer to these. What only the constructor of a service takes is left out, since Nest calls it.';
  if (mentioned.length > 0) parts.push('## Not exported', explanation, formatCode(mentioned));
  return `${parts.join('\n\n')}\n`;
}

function formatCode(declarations) {
  return `\`\`\`ts\n${declarations.filter((text) => text !== '').join('\n\n')}\n\`\`\``;
}

/** Lists what is called by name: entries by imports, programs by shells, schematics by the Nest CLI. */
function formatNames(folder, manifest) {
  const sections = {
    Entries: Object.keys(manifest.exports).map((entry) => nameImport(manifest, entry)),
    Programs: Object.keys(manifest.bin ?? {}),
    Schematics: readSchematics(folder, manifest),
  };
  const parts = Object.entries(sections)
    .filter(([, names]) => names.length > 0)
    .flatMap(([title, names]) => [
      `## ${title}`,
      names
        .toSorted()
        .map((name) => `- \`${name}\``)
        .join('\n'),
    ]);
  return `${['# Names', 'Written by `npm run surface`.', ...parts].join('\n\n')}\n`;
}

function readSchematics(folder, { schematics }) {
  if (schematics === undefined) return [];
  return Object.keys(JSON.parse(readFileSync(join(folder, schematics), 'utf8')).schematics);
}
