import {
  OFFER_KINDS,
  type DevelopmentReport,
  type OfferedEndpoint,
  type OfferedEntry,
} from '../../lib/core/development/report.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads an application's report. Returns `undefined` if it is invalid, for example because it is from another version
 * of the package.
 */
export function readReport(value: unknown): DevelopmentReport | undefined {
  if (!isObject(value)) return undefined;
  switch (value['type']) {
    case 'offer':
      return { type: 'offer', server: text(value['server']), ...readOffer(value) };
    case 'call':
      return {
        type: 'call',
        server: text(value['server']),
        event: text(value['event']),
        method: textIfGiven(value['method']),
        target: textIfGiven(value['target']),
        subject: textIfGiven(value['subject']),
        client: textIfGiven(value['client']),
        address: textIfGiven(value['address']),
        outcome: text(value['outcome']),
        reason: textIfGiven(value['reason']),
        errorCode: numberIfGiven(value['errorCode']),
        durationMs: numberIfGiven(value['durationMs']) ?? 0,
      };
    case 'failure':
      return {
        type: 'failure',
        server: textIfGiven(value['server']),
        method: textIfGiven(value['method']),
        target: textIfGiven(value['target']),
        name: text(value['name']),
        message: text(value['message']),
        stack: text(value['stack']),
      };
    case 'loss':
      return { type: 'loss', calls: numberIfGiven(value['calls']) ?? 0 };
    default:
      return undefined;
  }
}

function readOffer({ endpoint, entries }: Members) {
  const listed: readonly unknown[] = Array.isArray(entries) ? entries : [];
  return {
    endpoint: isObject(endpoint) ? readEndpoint(endpoint) : undefined,
    entries: listed.flatMap((entry) => (isObject(entry) ? readEntry(entry) : [])),
  };
}

function readEndpoint(endpoint: Members): OfferedEndpoint {
  const revisions: readonly unknown[] = Array.isArray(endpoint['revisions']) ? endpoint['revisions'] : [];
  return {
    host: textIfGiven(endpoint['host']),
    port: numberIfGiven(endpoint['port']),
    isSecure: endpoint['isSecure'] === true,
    path: text(endpoint['path']),
    ssePath: textIfGiven(endpoint['ssePath']),
    revisions: revisions.map(text),
    needsToken: endpoint['needsToken'] === true,
    hasExplorer: endpoint['hasExplorer'] === true,
  };
}

function readEntry(entry: Members): readonly OfferedEntry[] {
  const kind = OFFER_KINDS.find((one) => one === entry['kind']);
  if (kind === undefined) return [];
  const parts = isObject(entry['parts']) ? Object.entries(entry['parts']) : [];
  return [
    {
      kind,
      name: text(entry['name']),
      parts: Object.fromEntries(parts.map(([member, digest]) => [member, text(digest)])),
    },
  ];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textIfGiven(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberIfGiven(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
