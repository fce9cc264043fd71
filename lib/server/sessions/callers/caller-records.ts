import { hash } from 'node:crypto';
import type { CallerTerms, KnownCaller } from './caller-filter.js';

/** Where it is noted when the sessions of a caller ended. */
export interface RecordPlace {
  readonly key: string;
  readonly field: string;
}

/** The records in which an end may be noted that concerns one caller, with the fields that do. */
export interface ConcerningRecord {
  readonly key: string;
  readonly fields: readonly string[];
}

const ENDED = 'ended';

/** Gives where it is noted that a caller's sessions ended. */
export function listPlaces({ identities, subject, issuer, clientId }: CallerTerms): readonly RecordPlace[] {
  const field = formatField(clientId);
  if (identities !== undefined) return identities.map((identity) => ({ key: formatCaller(identity), field }));
  if (subject !== undefined) return [{ key: formatSubject(subject), field }];
  return clientId === undefined ? [] : [{ key: formatClient(clientId), field: formatField(issuer) }];
}

/** Gives where it would be noted that the sessions of somebody ended. */
export function listConcerning({ identity, claims }: KnownCaller): readonly ConcerningRecord[] {
  if (identity === undefined) return [];
  const { sub, iss, clientId } = claims ?? {};
  const fields = listFields(clientId);
  return [
    { key: formatCaller(identity), fields },
    ...(sub === undefined ? [] : [{ key: formatSubject(sub), fields }]),
    ...(clientId === undefined ? [] : [{ key: formatClient(clientId), fields: listFields(iss) }]),
  ];
}

/** One field says when all ended, another when those of one kind did. */
function listFields(kind: string | undefined): readonly string[] {
  return kind === undefined ? [ENDED] : [ENDED, formatField(kind)];
}

function formatField(kind: string | undefined): string {
  return kind === undefined ? ENDED : `${ENDED}.${digest(kind)}`;
}

function formatCaller(identity: string): string {
  return `caller:${digest(identity)}`;
}

function formatSubject(subject: string): string {
  return `subject:${digest(subject)}`;
}

function formatClient(clientId: string): string {
  return `client:${digest(clientId)}`;
}

/** A key is visible ASCII, and tells nobody who looks at the engine who the caller is. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}
