import { FileCredentialStore } from '../../lib/client/authorization/index.js';
import type { Terminal } from '../command.interface.js';

/** Opens the credential store in the user's folder, and reports damaged files. */
export function openCredentialStore(terminal: Terminal): FileCredentialStore {
  return new FileCredentialStore({
    onDamaged: (path) =>
      terminal.complain(`A credential file was damaged, and was renamed to ${path}: log in again`),
  });
}
