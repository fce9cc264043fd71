import { FileCredentialStore } from '../../lib/client/authorization/index.js';
import type { Terminal } from '../command.interface.js';

/** Opens the credential store in the user's folder, and reports damaged files. */
export function openCredentialStore(terminal: Terminal): FileCredentialStore {
  return new FileCredentialStore({
    onDamaged: (path) =>
      terminal.complain(`A file of credentials was damaged, and is now ${path}: log in again`),
  });
}
