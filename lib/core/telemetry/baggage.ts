import type { Baggage, BaggageEntry } from '@opentelemetry/api';
import type { TelemetryApi } from './import-api.js';

/** The size that every receiver must accept (W3C Baggage §3.3.2). More is not propagated. */
const MAXIMUM_CHARACTERS = 8192;
const MAXIMUM_MEMBERS = 64;

const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;

/**
 * Parses `baggage`. Returns `undefined` if nothing in it can be read.
 *
 * @see W3C Baggage §3.2
 */
export function parseBaggage(api: TelemetryApi, value: unknown): Baggage | undefined {
  if (typeof value !== 'string' || value.length > MAXIMUM_CHARACTERS) return undefined;
  const entries: Record<string, BaggageEntry> = Object.create(null);
  for (const member of value.split(',', MAXIMUM_MEMBERS)) {
    const [pair = '', ...metadata] = member.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const text = decode(pair.slice(at + 1).trim());
    if (!NAME.test(name) || text === undefined) continue;
    const properties = metadata.join(';');
    entries[name] = {
      value: text,
      ...(properties !== '' && { metadata: api.baggageEntryMetadataFromString(properties) }),
    };
  }
  return Object.keys(entries).length === 0 ? undefined : api.propagation.createBaggage(entries);
}

/** Formats `baggage` up to the size that every receiver must accept. Returns `undefined` if there is none. */
export function formatBaggage(baggage: Baggage | undefined): string | undefined {
  let text = '';
  for (const [name, { value, metadata }] of baggage?.getAllEntries().slice(0, MAXIMUM_MEMBERS) ?? []) {
    const properties = metadata === undefined ? '' : `;${metadata.toString()}`;
    const member = `${text === '' ? '' : ','}${name}=${encodeURIComponent(value)}${properties}`;
    if (text.length + member.length <= MAXIMUM_CHARACTERS) text += member;
  }
  return text === '' ? undefined : text;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
