import { ClientAuthError } from '../errors/errors.js';
import { quoteText } from '../errors/quote.js';

/** The reason why a store failed. */
export type CredentialStoreErrorCode =
  'credential_store_unsafe' | 'credential_store_unavailable' | 'credential_store_busy';

/** Is thrown if credentials cannot be stored, read or locked. Its text has no secret in it. */
export class CredentialStoreError extends ClientAuthError {
  override readonly name = 'CredentialStoreError';

  constructor(
    readonly code: CredentialStoreErrorCode,
    /** The file or the folder with the fault; absent if the store has none. */
    readonly path: string | undefined,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Others could read what is kept, or could have put it there. */
  static unsafe(path: string, fault: string, remedy: string): CredentialStoreError {
    return new CredentialStoreError(
      'credential_store_unsafe',
      path,
      `${quoteText(path)} ${fault}: ${remedy}`,
    );
  }

  /** The file system refuses. */
  static unavailable(path: string, cause: unknown): CredentialStoreError {
    const { code = 'unknown' } = cause as Error & { readonly code?: string };
    const message = `${quoteText(path)} must be a place that can be read and written, and gives "${code}"`;
    return new CredentialStoreError('credential_store_unavailable', path, message, { cause });
  }

  /** Another process has locked the credentials for longer than the caller waits. */
  static busy(waitMs: number, path?: string): CredentialStoreError {
    const where = path === undefined ? '' : ` (${quoteText(path)})`;
    return new CredentialStoreError(
      'credential_store_busy',
      path,
      `Another process has used these credentials for more than ${waitMs} ms: let it finish, then try again${where}`,
    );
  }
}
