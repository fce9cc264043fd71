import { FileCredentialStore } from '../../lib/client/authorization/index.js';
import type { Terminal } from '../command.interface.js';

/** Opens where logins are kept, in the folder of the user; files that are damaged are told about. */
export function openCredentialStore(terminal: Terminal): FileCredentialStore {
  return new FileCredentialStore({
    onDamaged: (path) =>
      terminal.complain(`A file of credentials was damaged, and is now ${path}: log in again`),
  });
}
