import { isAbsent } from '../../../core/package/is-absent.js';
import { OfficialClientMissingError } from '../errors.js';

const PACKAGE = '@modelcontextprotocol/client';

/** The official client, as its package gives it. */
export type OfficialClient = typeof import('@modelcontextprotocol/client');

/** What the official client has for servers that are processes. */
export type OfficialStdio = typeof import('@modelcontextprotocol/client/stdio');

/**
 * Loads the official client, which applications that call no server do without.
 *
 * @throws {OfficialClientMissingError} if it is not installed, with the command that installs it
 */
export async function loadOfficialClient(clientName: string): Promise<OfficialClient> {
  // Bundlers see by the "try" around it that a package may be absent.
  try {
    return await import('@modelcontextprotocol/client');
  } catch (cause) {
    throw explain(clientName, cause);
  }
}

/**
 * Loads what starts servers as processes.
 *
 * @throws {OfficialClientMissingError} if it is not installed, with the command that installs it
 */
export async function loadOfficialStdio(clientName: string): Promise<OfficialStdio> {
  try {
    return await import('@modelcontextprotocol/client/stdio');
  } catch (cause) {
    throw explain(clientName, cause);
  }
}

function explain(clientName: string, cause: unknown): unknown {
  return isAbsent(PACKAGE, cause) ? new OfficialClientMissingError(clientName, cause) : cause;
}
