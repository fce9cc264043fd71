import { posix } from 'node:path';
import { UsageError } from '../usage.error.js';
import { deriveNames, normalizeName, type HandlerNames } from './handler-names.js';
import type { ProjectTree } from './project-tree.interface.js';

/** What the Nest CLI gives a schematic. */
export interface HandlerOptions {
  /** May begin with a path. */
  readonly name?: string;
  /** @default none */
  readonly path?: string;
  /** @default 'src' */
  readonly sourceRoot?: string;
  /** @default false */
  readonly flat?: boolean;
  /** @default true */
  readonly spec?: boolean;
  /** @default 'spec' */
  readonly specFileSuffix?: string;
  /** @default false */
  readonly skipImport?: boolean;
  /** The file of the module. @default the nearest one */
  readonly module?: string;
  /** @default 'ts' */
  readonly language?: string;
}

/** What is to be written, and where. */
export interface HandlerRequest {
  readonly names: HandlerNames;
  /** The folder of the handler, relative to the root. */
  readonly folder: string;
  readonly sourceRoot: string;
  readonly withSpec: boolean;
  readonly specSuffix: string;
  readonly withImport: boolean;
  readonly module: string | undefined;
}

/** The Nest CLI takes a folder that has one of these for the root of an application. */
const ROOT_FILES = ['nest-cli.json', 'nest.json', 'tsconfig.json', 'package.json'];

/**
 * Reads what a schematic is called with, by the rules of the official ones.
 *
 * @throws {UsageError} if nothing can be made of it
 */
export function parseHandlerRequest(
  options: HandlerOptions,
  { suffix, project }: { readonly suffix: string; readonly project: ProjectTree },
): HandlerRequest {
  const { name: given = '', path = '', flat = false, spec = true, skipImport = false, module } = options;
  if (given.trim() === '') throw new UsageError('A name is required: write one such as "create-order"');
  if (options.language !== undefined && options.language !== 'ts') {
    throw new UsageError(
      `Handlers are written in TypeScript: "language" in "nest-cli.json" must be "ts", and is "${options.language}"`,
    );
  }
  const asked = [path, given]
    .filter((part) => part !== '')
    .join('/')
    .replaceAll('\\', '/');
  // What is a name around spaces is the same name without them.
  if (asked.split('/').some((part) => part.trim() === '..'))
    throw new UsageError(`"${asked}" must be in the folder of the sources: leave ".." out`);
  if (/['"`]/.test(asked)) {
    const plain = asked.replaceAll(/['"`]/g, '');
    throw new UsageError(`The folder and the name must have no quotes: write "${plain}"`);
  }
  const specSuffix = normalizeName(options.specFileSuffix || 'spec');
  if (!/^[\w.-]+$/.test(specSuffix)) {
    throw new UsageError(
      `"--spec-file-suffix" must have letters, digits, ".", "_" and "-" alone, and is "${specSuffix}": write one such as "spec"`,
    );
  }
  const slashed = posix.join('/', asked);
  const names = deriveNames(normalizeName(posix.basename(slashed)), suffix);
  const isRoot = ROOT_FILES.some((file) => project.read(file) !== undefined);
  const sourceRoot = isRoot ? (options.sourceRoot ?? 'src') : '';
  const parent = posix.join(sourceRoot, normalizeName(posix.dirname(slashed)));
  return {
    names,
    folder: strip(flat ? parent : posix.join(parent, names.name)),
    sourceRoot: strip(posix.normalize(sourceRoot)),
    withSpec: spec,
    specSuffix,
    withImport: !skipImport,
    module,
  };
}

/** The root itself is an empty text. */
function strip(path: string): string {
  return path.replace(/^\.?\/+|\/+$|^\.$/g, '');
}
