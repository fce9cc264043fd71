import type { ClusterBus, EntryName } from '../../cluster/cluster-bus.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { SettingVersions } from './setting-versions.js';
import type { StandaloneReader } from '../streams/standalone-reader.js';

/** What there is of a session in a server of several processes, and nowhere else. */
export class SharedPart {
  /** The reader of its standing stream in this process. */
  reader: StandaloneReader | undefined;
  /** The owner in the shared record. */
  owner: string | undefined;
  /** What the record said last of who reads the standing stream. */
  standing: string | undefined;
  /** When its use was written down last, by the monotonic clock; absent before the first time. */
  recordedAt: number | undefined;
  /** How new that is what this process knows of what the client has settled. */
  readonly versions = new SettingVersions();
  /** Since when this process has had it, by the same clock. */
  readonly since = performance.now();
  #lists: string | undefined;

  private constructor(
    /** Where the log stood at the handshake, if that is known. */
    readonly begin: ClusterPosition | undefined,
    /** What this process had published at the handshake; absent if that was elsewhere. */
    readonly before: EntryName | undefined,
    /** Whether the record is still to be read: the session was taken up while that could not be done. */
    public isUnread: boolean,
  ) {}

  /** What the record said last of the lists that the client knows. */
  get lists(): string | undefined {
    return this.#lists;
  }

  /** Notes what the record says of them, or another process, which may come late: the newest counts. */
  noteLists(lists: string | undefined): void {
    if (lists !== undefined && countChanges(lists) >= countChanges(this.#lists)) this.#lists = lists;
  }

  /** Creates the part of a session that any process can take over. Returns `undefined` if there is no other process. */
  static create(
    { isShared, own }: Pick<ClusterBus, 'isShared' | 'own'>,
    begin: ClusterPosition | undefined,
    isUnread = false,
  ): SharedPart | undefined {
    return isShared ? new SharedPart(begin, isUnread ? undefined : own.published, isUnread) : undefined;
  }
}

/** Such texts begin with the number of their changes. */
function countChanges(lists = ''): number {
  return Number.parseInt(lists, 10) || 0;
}
