import type { ClusterConnection, ClusterStats } from '../settings/cluster/cluster.interface.js';
import type { Envelopes } from './envelopes.js';
import type { Publisher } from './publisher.js';

/** What the figures are gathered from. */
export interface FigureSources {
  /** Absent until this process joins. */
  readonly connection: ClusterConnection | undefined;
  readonly publisher: Pick<Publisher, 'waiting' | 'dropped'>;
  readonly envelopes: Pick<Envelopes, 'isReadable' | 'unreadable'>;
}

const NONE = { reconnections: 0, replayed: 0, gaps: 0 };

/** Gathers the figures of the exchange between processes. */
export function gatherStats({ connection, publisher, envelopes }: FigureSources): ClusterStats {
  const { waiting, dropped } = publisher;
  const { isReadable, unreadable } = envelopes;
  const isConnected = connection?.isConnected === true;
  const failure = isConnected ? undefined : connection?.failure;
  const exchange = { isConnected, isReadable, unreadable, waiting, dropped };
  return { ...NONE, ...connection?.figures, ...exchange, ...(failure && { failure }) };
}
