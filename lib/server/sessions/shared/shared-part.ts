import type { ClusterBus, EntryName } from '../../cluster/cluster-bus.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { SettingVersions } from './setting-versions.js';
import type { StandaloneReader } from '../streams/standalone-reader.js';

/** State of a session that only servers with several processes need. */
export class SharedPart {
  /** The reader of the standalone SSE stream in this process. */
  reader: StandaloneReader | undefined;
  /** The owner in the shared record. */
  owner: string | undefined;
  /** Last known record entry about the reader of the standalone SSE stream. */
  standing: string | undefined;
  /** When the use was last stored, on the monotonic clock. Absent before the first time. */
  recordedAt: number | undefined;
  /** Versions of the settings that this process knows. */
  readonly versions = new SettingVersions();
  /** When this process opened or recovered the session, on the same clock. */
  readonly since = performance.now();
  #lists: string | undefined;

  private constructor(
    /** Log position at the handshake, if known. */
    readonly begin: ClusterPosition | undefined,
    /** Newest entry of this process at the handshake. Absent if another process shook hands. */
    readonly before: EntryName | undefined,
    /** Whether the record is still unread, since it was unreachable during recovery. */
    public isUnread: boolean,
  ) {}

  /** Last known record entry about the lists that the client knows. */
  get lists(): string | undefined {
    return this.#lists;
  }

  /** Updates that entry from the record or from another process. A late, older entry is ignored. */
  noteLists(lists: string | undefined): void {
    if (lists !== undefined && countChanges(lists) >= countChanges(this.#lists)) this.#lists = lists;
  }

  /** Creates the shared part of a recoverable session. Returns `undefined` if there is no other process. */
  static create(
    { isShared, own }: Pick<ClusterBus, 'isShared' | 'own'>,
    begin: ClusterPosition | undefined,
    isUnread = false,
  ): SharedPart | undefined {
    return isShared ? new SharedPart(begin, isUnread ? undefined : own.published, isUnread) : undefined;
  }
}

/** Entries start with the number of their changes. */
function countChanges(lists = ''): number {
  return Number.parseInt(lists, 10) || 0;
}
