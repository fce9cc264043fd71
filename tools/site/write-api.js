import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Comment, Converter, ReflectionKind, makeRecursiveVisitor } from 'typedoc';
import { readRepositoryUrl } from '../release/addresses.js';
import { addFrontMatter } from './front-matter.js';
import { API_NAVIGATION, MADE, ROOT } from './places.js';
import { BRANCH } from './source-links.js';

/** What an application finds in each entry. */
const HOLDINGS = {
  'nestjs-mcp': 'The module, its decorators and options, and what handlers, guards and services work with.',
  'nestjs-mcp/client': 'Login and tokens for MCP clients that you write.',
  'nestjs-mcp/client-module': 'MCP clients that Nest injects.',
  'nestjs-mcp/controllers': 'Routes of controllers as tools.',
  'nestjs-mcp/authorization-server':
    'An authorization server for MCP clients, in front of an identity provider.',
  'nestjs-mcp/gateway': 'Other MCP servers behind yours, with your login, limits and audit.',
  'nestjs-mcp/redis': 'What several processes share, on Redis.',
  'nestjs-mcp/testing': 'A test kit: clients without a socket, tokens of any shape, matchers.',
};

/**
 * Writes a page for each thing that an entry of the package exports, made from its docstrings.
 *
 * @param {string} out an empty folder
 */
export async function writeApi(out) {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const entries = listEntries(manifest);
  const tsconfig = join(MADE, 'tsconfig.json');
  const files = [...entries.keys()];
  writeFileSync(tsconfig, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), files, include: [] }));
  const app = await Application.bootstrapWithPlugins({
    ...OPTIONS,
    tsconfig,
    entryPoints: files,
    sourceLinkTemplate: `${readRepositoryUrl(manifest)}/blob/${BRANCH}/lib/{path}#L{line}`,
    outputs: [{ name: 'markdown', path: out }],
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children) nameEntry(module, entries.get(module.sources[0].fullFileName));
    hideConstructors(project, manifest.name);
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc cannot read the package');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('TypeDoc found faults');
  for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.md')) completePage(join(out, name));
}

const OPTIONS = {
  name: 'API reference',
  basePath: ROOT,
  plugin: [fileURLToPath(import.meta.resolve('typedoc-plugin-markdown'))],
  router: 'member',
  readme: 'none',
  disableGit: true,
  gitRevision: BRANCH,
  // The compiler of the package checks its types.
  skipErrorChecking: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  sort: ['kind', 'alphabetical'],
  // Defaults are told in words.
  jsDocCompatibility: { defaultTag: false },
  // The reports of the surface list what exports mention and is not exported.
  validation: { notExported: false, invalidLink: true, invalidPath: true },
  logLevel: 'Warn',
  navigationJson: API_NAVIGATION,

  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  indexFormat: 'table',
  parametersFormat: 'table',
  sanitizeComments: true,
  useHTMLEncodedBrackets: true,
};

/** Lists what an application imports from: the source of each entry, and the name under which it is imported. */
function listEntries({ name, exports }) {
  const typed = Object.entries(exports).filter(([, { types }]) => types !== undefined);
  return new Map(
    typed.map(([path, { types }]) => [
      join(ROOT, types.replace('./dist/', 'lib/').replace(/\.d\.ts$/, '.ts')),
      path.replace(/^\./, name),
    ]),
  );
}

/** An entry is called what it is imported as. */
function nameEntry(module, name) {
  module.name = name;
  module.comment = new Comment([{ kind: 'text', text: HOLDINGS[name] ?? refuse(name) }]);
}

function refuse(name) {
  throw new Error(`Nothing is said of "${name}": add it to HOLDINGS in "tools/site/write-api.js"`);
}

/** Nest constructs services. What their constructors take is not exported, so that nobody can call them; users construct errors. */
function hideConstructors(project, name) {
  for (const one of project.getReflectionsByKind(ReflectionKind.Constructor))
    if (!one.parent.name.endsWith('Error') && takesHidden(one, name)) project.removeReflection(one);
}

function takesHidden({ signatures }, name) {
  let isHidden = false;
  const visitor = makeRecursiveVisitor({
    reference: (type) => {
      isHidden ||= type.package === name && type.reflection === undefined;
    },
  });
  for (const { parameters = [] } of signatures) for (const { type } of parameters) type?.visit(visitor);
  return isHidden;
}

/** A page says once where its source is. Its first sentence is what a search engine shows, and nobody edits it by hand. */
function completePage(file) {
  let count = 0;
  const text = readFileSync(file, 'utf8').replace(/^Defined in: .*\n+/gm, (line) =>
    count++ === 0 ? line : '',
  );
  writeFileSync(file, addFrontMatter({ description: findSummary(text), editLink: false }, text));
}

/** Finds the first paragraph of a page that is prose: no heading, code, table, list or place in the source. */
function findSummary(text) {
  return text
    .split(/\n{2,}/)
    .find((paragraph) => /^[A-Z]/.test(paragraph) && !paragraph.startsWith('Defined in'))
    ?.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[`*\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
