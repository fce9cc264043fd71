import { isStringArray } from '../../../core/protocol/is-string-array.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { parseJsonObject } from '../../../core/protocol/parse-json-object.js';
import { DpopKey } from '../dpop/dpop-key.js';
import { normaliseServerUrl } from './credential-key.js';
import type { CredentialKey, StoredCredentials } from './credential-store.interface.js';

/** What a file of the store holds. */
export interface StoredFile extends CredentialKey {
  readonly credentials: StoredCredentials;
}

const FORMAT = 1;

/** Writes what a file of the store holds. */
export function formatStoredFile({ serverUrl, issuer, credentials }: StoredFile): string {
  const file = { format: FORMAT, serverUrl: normaliseServerUrl(serverUrl), issuer, credentials };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Reads what a file of the store holds. Returns `undefined` if it is damaged. */
export async function parseStoredFile(text: string): Promise<StoredFile | undefined> {
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

/** A key that signs nothing would fail each call, and another login makes another. */
async function hasUsableKey({ dpopKey: kept }: StoredCredentials): Promise<boolean> {
  if (kept?.privateJwk === undefined) return true;
  try {
    return (await DpopKey.import(kept.privateJwk)).thumbprint === kept.thumbprint;
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
