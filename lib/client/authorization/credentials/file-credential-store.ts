import { randomBytes } from 'node:crypto';
import { readdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { isObject, isStringArray, parseJsonObject } from '../../../core/protocol/json-rpc.js';
import { DpopKey } from '../dpop.js';
import {
  acquireLock,
  CredentialMutex,
  DEFAULT_WAIT_MS,
  isProcessGone,
  PROCESS_IDENTITY,
} from './credential-lock.js';
import {
  CredentialStoreError,
  type CredentialKey,
  type CredentialStore,
  type ExclusiveOptions,
  type StoredCredentials,
} from './credential-store.js';
import { hashCredentialKey, hashServerUrl, normalizeServerUrl } from './credential-key.js';
import {
  isMissing,
  makePrivateFolder,
  readPrivateFile,
  removeFile,
  writePrivateFile,
} from './private-file.js';

/** Options of `FileCredentialStore`. */
export interface FileCredentialStoreOptions {
  /** The folder, which is created if it is missing. @default `nestjs-mcp` in the user's configuration folder */
  readonly folder?: string;
  /** Called if a damaged file was set aside, with its new path. */
  readonly onDamaged?: (path: string) => void;
}

const SUFFIX = '.json';
const TEMPORARY = '.tmp';
const DAMAGED = '.damaged';

/**
 * Stores credentials in files that only their owner can read, one per server and issuer. Several processes can share
 * the folder.
 *
 * A file is written completely or not at all. A damaged file is renamed, and its credentials count as missing.
 *
 * @example
 * const tokenSource = new OAuthTokenSource({ serverUrl, store: new FileCredentialStore() });
 *
 * @throws {CredentialStoreError} if the file system reports an error, or other users could read a file
 */
export class FileCredentialStore implements CredentialStore {
  readonly folder: string;
  readonly #onDamaged: (path: string) => void;
  readonly #mutex = new CredentialMutex();

  constructor(options: FileCredentialStoreOptions = {}) {
    this.folder = options.folder ?? findCredentialFolder();
    this.#onDamaged = options.onDamaged ?? (() => undefined);
  }

  async get(key: CredentialKey): Promise<StoredCredentials | undefined> {
    return (await this.#guard(() => this.#read(hashCredentialKey(key))))?.credentials;
  }

  async set(key: CredentialKey, credentials: StoredCredentials): Promise<void> {
    const name = hashCredentialKey(key);
    await this.#guard(async () => {
      await makePrivateFolder(this.folder);
      await this.#removeRemains(name);
      const temporary = `${name}.${PROCESS_IDENTITY}.${randomBytes(8).toString('hex')}${TEMPORARY}`;
      const text = formatStoredFile({ ...key, credentials });
      await writePrivateFile(this.#locate(name), join(this.folder, temporary), text);
    });
  }

  async delete(key: CredentialKey): Promise<void> {
    const name = hashCredentialKey(key);
    const path = this.#locate(name);
    await this.#guard(async () => {
      await this.#removeRemains(name);
      await removeFile(path);
      await removeFile(`${path}${DAMAGED}`);
    });
  }

  /**
   * Removes a server's damaged files, and killed processes' temporary files, for all issuers. They may still contain
   * tokens.
   *
   * @returns the number of removed files
   * @throws {CredentialStoreError} if the file system reports an error
   */
  async deleteDamaged(serverUrl: string): Promise<number> {
    const beginning = `${hashServerUrl(serverUrl)}-`;
    return this.#guard(async () => {
      const files = (await this.#list()).filter((file) => file.startsWith(beginning));
      const damaged = files.filter((file) => file.endsWith(DAMAGED) || isRemains(file));
      await this.#remove(damaged);
      return damaged.length;
    });
  }

  async issuers(serverUrl: string): Promise<readonly string[]> {
    const beginning = `${hashServerUrl(serverUrl)}-`;
    return this.#guard(async () => {
      const files = await this.#list();
      const names = files.filter((file) => file.startsWith(beginning) && file.endsWith(SUFFIX));
      const found = await Promise.all(names.map((file) => this.#read(file.slice(0, -SUFFIX.length))));
      return found.flatMap((stored) => (stored === undefined ? [] : [stored.issuer]));
    });
  }

  async exclusively<Result>(
    key: CredentialKey,
    work: () => Promise<Result>,
    options: ExclusiveOptions = {},
  ): Promise<Result> {
    const name = hashCredentialKey(key);
    const { waitMs = DEFAULT_WAIT_MS } = options;
    const deadline = performance.now() + waitMs;
    const alone = async () => {
      await this.#guard(() => makePrivateFolder(this.folder));
      const left = { ...options, waitMs: Math.max(0, deadline - performance.now()) };
      const release = await this.#guard(() => acquireLock({ folder: this.folder, name }, left));
      try {
        return await work();
      } finally {
        await this.#guard(release);
      }
    };
    return this.#mutex.run(name, alone, options);
  }

  #locate(name: string): string {
    return join(this.folder, `${name}${SUFFIX}`);
  }

  async #read(name: string): Promise<StoredFile | undefined> {
    const path = this.#locate(name);
    const text = await readPrivateFile(path);
    if (text === undefined) return undefined;
    const stored = await parseStoredFile(text);
    if (stored !== undefined && hashCredentialKey(stored) === name) return stored;
    await this.#quarantine(path);
    return undefined;
  }

  async #quarantine(path: string): Promise<void> {
    const aside = `${path}${DAMAGED}`;
    try {
      await rename(path, aside);
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    this.#onDamaged(aside);
  }

  async #removeRemains(name: string): Promise<void> {
    const files = await this.#list();
    await this.#remove(files.filter((file) => file.startsWith(`${name}.`) && isRemains(file)));
  }

  async #remove(files: readonly string[]): Promise<void> {
    await Promise.all(files.map((file) => removeFile(join(this.folder, file))));
  }

  async #list(): Promise<readonly string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Reports file system errors as errors of the folder. */
  async #guard<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw CredentialStoreError.unavailable(this.folder, error);
    }
  }
}

/** A process that is killed while writing leaves a partial or complete temporary file. */
function isRemains(file: string): boolean {
  return file.endsWith(TEMPORARY) && isProcessGone(file.split('.')[1] ?? '');
}

function isSystemError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}

/** A file's content. */
interface StoredFile extends CredentialKey {
  readonly credentials: StoredCredentials;
}

const FORMAT = 1;

/** Formats a file's content. */
function formatStoredFile({ serverUrl, issuer, credentials }: StoredFile): string {
  const file = { format: FORMAT, serverUrl: normalizeServerUrl(serverUrl), issuer, credentials };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Parses a file's content. Returns `undefined` if it is damaged. */
async function parseStoredFile(text: string): Promise<StoredFile | undefined> {
  const file = parseJsonObject(text);
  if (file?.['format'] !== FORMAT) return undefined;
  const { serverUrl, issuer, credentials } = file;
  if (typeof serverUrl !== 'string' || typeof issuer !== 'string' || !URL.canParse(serverUrl))
    return undefined;
  if (!isStoredCredentials(credentials)) return undefined;
  return (await hasUsableKey(credentials)) ? { serverUrl, issuer, credentials } : undefined;
}

function isStoredCredentials(value: unknown): value is StoredCredentials {
  if (!isObject(value)) return false;
  const { registration, tokens, dpopKey } = value;
  return (
    (registration === undefined || isRegistration(registration)) &&
    (tokens === undefined || areTokens(tokens)) &&
    (dpopKey === undefined || isDpopKey(dpopKey))
  );
}

function isDpopKey(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { thumbprint, privateJwk } = value;
  return typeof thumbprint === 'string' && (privateJwk === undefined || isObject(privateJwk));
}

/** With an unusable key, each call would fail. Without the credentials, the next login creates a new key. */
async function hasUsableKey({ dpopKey: held }: StoredCredentials): Promise<boolean> {
  if (held?.privateJwk === undefined) return true;
  try {
    return (await DpopKey.import(held.privateJwk)).thumbprint === held.thumbprint;
  } catch {
    return false;
  }
}

function isRegistration(value: unknown): boolean {
  return isObject(value) && typeof value['clientId'] === 'string' && isOptionalText(value['clientSecret']);
}

function areTokens(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { accessToken, tokenType, refreshToken, grantedScopes, requestedScopes } = value;
  const areTexts = typeof accessToken === 'string' && typeof tokenType === 'string';
  return (
    areTexts &&
    isOptionalTime(value['askedAtMs']) &&
    isOptionalTime(value['expiresAtMs']) &&
    isOptionalTime(value['loggedInAtMs']) &&
    isOptionalFlag(value['isUntaken']) &&
    isOptionalText(refreshToken) &&
    isStringArray(grantedScopes) &&
    isStringArray(requestedScopes)
  );
}

function isOptionalTime(value: unknown): boolean {
  return value === undefined || typeof value === 'number';
}

function isOptionalFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** The facts that determine where a program stores the user's files. */
export interface FolderFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly home: string;
}

const NAME = 'nestjs-mcp';

/**
 * Finds this user's credentials folder: `nestjs-mcp` below `XDG_CONFIG_HOME` or `~/.config`, on macOS below
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
