import type {
  ClusterConnection,
  ClusterFieldSwap,
  ClusterFigures,
  ClusterRecord,
  ClusterRecordChange,
} from '../settings/cluster/cluster.interface.js';
import type { SharedState } from './relay.js';

/** What processes share, from before this one has joined them: until then everything rejects. */
export class SharedStateView implements SharedState {
  constructor(private readonly connect: () => ClusterConnection) {}

  get now(): number {
    return this.connect().now ?? Date.now();
  }

  get figures(): ClusterFigures {
    return this.connect().figures;
  }

  async find(key: string): Promise<ClusterRecord | undefined> {
    return this.connect().find(key);
  }

  async change(change: ClusterRecordChange): Promise<void> {
    return this.connect().change(change);
  }

  async swap(swap: ClusterFieldSwap): Promise<string | undefined> {
    return this.connect().swap(swap);
  }

  async lease(name: string, holdMs: number): Promise<boolean> {
    return this.connect().lease(name, holdMs);
  }

  async release(name: string): Promise<void> {
    return this.connect().release(name);
  }

  async members(): Promise<readonly string[]> {
    return this.connect().members();
  }
}
