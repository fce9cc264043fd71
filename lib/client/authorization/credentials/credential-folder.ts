import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** The facts that decide where a program keeps the user's files. */
export interface FolderFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly home: string;
}

const NAME = 'nestjs-mcp';

/**
 * Finds the folder of this user's credentials: `nestjs-mcp` below `XDG_CONFIG_HOME` or `~/.config`, on macOS below
 * `~/Library/Application Support`, on Windows below `APPDATA`.
 *
 * @see XDG Base Directory Specification
 */
export function findCredentialFolder(facts: FolderFacts = describeProcess()): string {
  const { platform, environment, home } = facts;
  if (platform === 'win32') {
    return win32.join(environment['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), NAME);
  }
  const { XDG_CONFIG_HOME: configured = '' } = environment;
  if (posix.isAbsolute(configured)) return posix.join(configured, NAME);
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', NAME);
  return posix.join(home, '.config', NAME);
}

function describeProcess(): FolderFacts {
  return { platform: process.platform, environment: process.env, home: homedir() };
}
