import { isAbsent } from '../../core/package/is-absent.js';
import { MissingPackageError } from './missing-package.error.js';

/** The official client, as its package gives it. */
export type OfficialClient = typeof import('@modelcontextprotocol/client');

/** What the official client has for servers that are processes. */
export type OfficialStdio = typeof import('@modelcontextprotocol/client/stdio');

const PACKAGE = '@modelcontextprotocol/client';

/**
 * Loads the official client, which applications that call no server do without.
 *
 * @throws {MissingPackageError} if it is not installed, with the command that installs it
 */
export async function loadOfficialClient(): Promise<OfficialClient> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (cause) {
    throw isAbsent(PACKAGE, cause) ? new MissingPackageError(PACKAGE, cause) : cause;
  }
}

/**
 * Loads what starts servers as processes.
 *
 * @throws {MissingPackageError} if it is not installed, with the command that installs it
 */
export async function loadOfficialStdio(): Promise<OfficialStdio> {
  try {
    return await import('@modelcontextprotocol/client/stdio');
  } catch (cause) {
    throw isAbsent(PACKAGE, cause) ? new MissingPackageError(PACKAGE, cause) : cause;
  }
}
