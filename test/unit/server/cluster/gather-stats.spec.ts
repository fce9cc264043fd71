import { describe, expect, it } from '@jest/globals';
import type { ClusterConnection } from 'nestjs-mcp';
import { gatherStats } from '../../../../lib/server/cluster/distributed-bus.js';

const sources = {
  publisher: { waiting: 1, dropped: 2 },
  envelopes: { isReadable: true, unreadable: 3 },
};
const FIGURES = { waiting: 1, dropped: 2, isReadable: true, unreadable: 3 };
const NONE = { reconnections: 0, replayed: 0, gaps: 0 };

describe('The figures of the exchange between processes', () => {
  const gather = (connection: object | undefined) =>
    gatherStats({ ...sources, connection: connection as ClusterConnection | undefined });

  it('say whether the engine is in reach, and why it is not (RELAY-07)', () => {
    const figures = { reconnections: 4, replayed: 5, gaps: 6 };
    const failure = 'ECONNREFUSED';
    expect(gather(undefined)).toEqual({ ...FIGURES, ...NONE, isConnected: false });
    expect(gather({ isConnected: true, figures, failure })).toEqual({
      ...FIGURES,
      ...figures,
      isConnected: true,
    });
    expect(gather({ isConnected: false, figures, failure })).toEqual({
      ...FIGURES,
      ...figures,
      isConnected: false,
      failure,
    });
  });
});
