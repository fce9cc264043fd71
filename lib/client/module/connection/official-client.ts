import { OfficialClientMissingError } from '../errors/official-client-missing.error.js';

/** The official client, as its package gives it. */
export type OfficialClient = typeof import('@modelcontextprotocol/client');

/** What the official client has for servers that are processes. */
export type OfficialStdio = typeof import('@modelcontextprotocol/client/stdio');

/**
 * Loads the official client, which applications that call no server do without.
 *
 * @throws {OfficialClientMissingError} where it is not installed, with the command that installs it
 */
export async function loadOfficialClient(clientName: string): Promise<OfficialClient> {
  return load(clientName, () => import('@modelcontextprotocol/client'));
}

/**
 * Loads what starts servers as processes.
 *
 * @throws {OfficialClientMissingError} where it is not installed, with the command that installs it
 */
export async function loadOfficialStdio(clientName: string): Promise<OfficialStdio> {
  return load(clientName, () => import('@modelcontextprotocol/client/stdio'));
}

async function load<Module>(clientName: string, importModule: () => Promise<Module>): Promise<Module> {
  try {
    return await importModule();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new OfficialClientMissingError(clientName, cause);
  }
}
