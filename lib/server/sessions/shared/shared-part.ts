import type { ClusterBus, EntryName } from '../../cluster/cluster-bus.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { SettingVersions } from './setting-versions.js';
import type { StandaloneReader } from '../streams/standalone-reader.js';

/** The part of a session's state that only servers with several processes need. */
export class SharedPart {
  /** The standalone SSE stream's reader in this process. */
  reader: StandaloneReader | undefined;
  /** The owner in the shared record. */
  owner: string | undefined;
  /** The last known record entry about the standalone SSE stream's reader. */
  standing: string | undefined;
  /** When the last use was stored, on the monotonic clock. Absent before the first time. */
  recordedAt: number | undefined;
  /** The setting versions that this process knows. */
  readonly versions = new SettingVersions();
  /** When this process opened or recovered the session, on the same clock. */
  readonly since = performance.now();
  #lists: string | undefined;

  private constructor(
    /** The log position at initialization, if known. */
    readonly begin: ClusterPosition | undefined,
    /** This process's newest entry at initialization. Absent if another process initialized the session. */
    readonly before: EntryName | undefined,
    /** Whether the record is still unread because it was unreachable during recovery. */
    public isUnread: boolean,
  ) {}

  /** The last known record entry about the lists that the client knows. */
  get lists(): string | undefined {
    return this.#lists;
  }

  /** Updates that entry from the record or from another process. A late, older entry is ignored. */
  noteLists(lists: string | undefined): void {
    if (lists !== undefined && countChanges(lists) >= countChanges(this.#lists)) this.#lists = lists;
  }

  /** Creates the shared part of a recoverable session. Returns `undefined` if there is no other process. */
  static create(
    { isShared, published }: Pick<ClusterBus, 'isShared' | 'published'>,
    begin: ClusterPosition | undefined,
    isUnread = false,
  ): SharedPart | undefined {
    return isShared ? new SharedPart(begin, isUnread ? undefined : published, isUnread) : undefined;
  }
}

/** Entries start with their number of changes. */
function countChanges(lists = ''): number {
  return Number.parseInt(lists, 10) || 0;
}
