import type {
  ClusterConnection,
  ClusterFieldSwap,
  ClusterConnectionStats,
  ClusterRecord,
  ClusterRecordChange,
} from '../settings/cluster/cluster.interface.js';
import type { MemberNames } from './member-names.js';
import type { SharedState } from './relay.js';
import type { SealedRecords } from './sealed-records.js';

const COUNTED_MS = 3000;

/** What processes share, from before this one has joined them: until then everything rejects. Records are encrypted on the way. */
export class SharedStateView implements SharedState {
  constructor(
    private readonly connect: () => ClusterConnection,
    private readonly records: SealedRecords,
    private readonly names: Pick<MemberNames, 'select'>,
  ) {}

  get now(): number {
    try {
      return this.connect().now ?? Date.now();
    } catch {
      return Date.now();
    }
  }

  get countedMs(): number {
    return this.connect().countedMs ?? COUNTED_MS;
  }

  get figures(): ClusterConnectionStats {
    return this.connect().figures;
  }

  async find(key: string): Promise<ClusterRecord | undefined> {
    const record = await this.connect().find(key);
    return record && this.records.openRecord(key, record);
  }

  async change(change: ClusterRecordChange): Promise<void> {
    return this.connect().change(this.records.sealChange(change));
  }

  async swap(swap: ClusterFieldSwap): Promise<string | undefined> {
    const { key, field, from, to } = swap;
    let current: string | undefined;
    for (const sealed of this.records.sealSwap(swap)) {
      current = await this.connect().swap(sealed);
      if (current === sealed.to) return to;
      const value = current === undefined ? undefined : this.records.openValue(key, field, current);
      if (current === undefined || value !== undefined) continue;
      // What cannot be read counts as absent.
      if (from !== undefined) return undefined;
      current = await this.connect().swap({ ...sealed, from: current });
      if (current === sealed.to) return to;
    }
    return current === undefined ? undefined : this.records.openValue(key, field, current);
  }

  async lease(name: string, holdMs: number): Promise<boolean> {
    return this.connect().lease(name, holdMs);
  }

  async release(name: string): Promise<void> {
    return this.connect().release(name);
  }

  async members(): Promise<readonly string[]> {
    return this.names.select(await this.connect().members());
  }
}
