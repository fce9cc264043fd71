import { posix } from 'node:path';
import { UsageError } from '../usage.error.js';
import { deriveNames, normalizeName, type HandlerNames } from './handler-names.js';
import type { ProjectTree } from './project-tree.interface.js';

/** The options that the Nest CLI passes to a schematic. */
export interface HandlerOptions {
  /** May start with a path. */
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
  /** The module's file. @default the nearest one */
  readonly module?: string;
  /** @default 'ts' */
  readonly language?: string;
}

/** The files to generate, and where. */
export interface HandlerRequest {
  readonly names: HandlerNames;
  /** The handler's folder, relative to the root. */
  readonly folder: string;
  readonly sourceRoot: string;
  readonly withSpec: boolean;
  readonly specSuffix: string;
  readonly withImport: boolean;
  readonly module: string | undefined;
}

/** The Nest CLI treats a folder with one of these files as an application's root. */
const ROOT_FILES = ['nest-cli.json', 'nest.json', 'tsconfig.json', 'package.json'];

/**
 * Reads a schematic's options, following the rules of the official schematics.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseHandlerRequest(
  options: HandlerOptions,
  { suffix, project }: { readonly suffix: string; readonly project: ProjectTree },
): HandlerRequest {
  const { name: given = '', path = '', flat = false, spec = true, skipImport = false, module } = options;
  if (given.trim() === '') throw new UsageError('A name is required, such as "create-order"');
  if (options.language !== undefined && options.language !== 'ts') {
    throw new UsageError(
      `Handlers are generated in TypeScript: "language" in "nest-cli.json" must be "ts", but is "${options.language}"`,
    );
  }
  const asked = [path, given]
    .filter((part) => part !== '')
    .join('/')
    .replaceAll('\\', '/');
  // The name is trimmed later, so `.. ` would become `..`.
  if (asked.split('/').some((part) => part.trim() === '..'))
    throw new UsageError(`"${asked}" must be inside the source folder: remove ".."`);
  if (/['"`]/.test(asked)) {
    const plain = asked.replaceAll(/['"`]/g, '');
    throw new UsageError(`The folder and the name must not contain quotes: use "${plain}"`);
  }
  const specSuffix = normalizeName(options.specFileSuffix || 'spec');
  if (!/^[\w.-]+$/.test(specSuffix)) {
    throw new UsageError(
      `"--spec-file-suffix" must consist of letters, digits, ".", "_" and "-", such as "spec", but is "${specSuffix}"`,
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

/** Returns an empty string for the root itself. */
function strip(path: string): string {
  return path.replace(/^\.?\/+|\/+$|^\.$/g, '');
}
