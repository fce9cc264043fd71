import { isAbsent } from '../../../core/package/is-absent.js';
import { MissingPackageError } from '../../server/missing-package.error.js';

/** The library that reads and knows TypeScript. */
export type TsMorph = typeof import('ts-morph');

const PACKAGE = 'ts-morph';

/** Changes no `package.json`: the command would refuse to write over that change. */
const INSTALLER = 'npm install --no-save';

/**
 * Loads the library, which no server needs. It brings its own compiler, since that of the application may be one without an
 * interface for programs.
 *
 * @throws {MissingPackageError} if it is not installed, with the command that installs it
 */
export async function loadTsMorph(): Promise<TsMorph> {
  try {
    const loaded = (await import('ts-morph')) as TsMorph & { readonly default?: TsMorph };
    return loaded.default ?? loaded;
  } catch (cause) {
    throw isAbsent(PACKAGE, cause) ? new MissingPackageError(PACKAGE, cause, INSTALLER) : cause;
  }
}
