import type { Relay } from '../../relay/relay.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import type { StandingReader } from '../streams/standing-reader.js';

/** What there is of a session in a server of several processes, and nowhere else. */
export class SharedPart {
  /** The reader of its standing stream in this process. */
  reader: StandingReader | undefined;
  /** The owner in the shared record. */
  owner: string | undefined;
  /** What the record said last of who reads the standing stream. */
  standing: string | undefined;
  /** What the record said last of the lists that the client knows. */
  lists: string | undefined;
  /** When its use was written down last, by the monotonic clock; absent before the first time. */
  recordedAt: number | undefined;
  /** Since when this process has had it, by the same clock. */
  readonly since = performance.now();

  private constructor(
    /** Where the log stood at the handshake, if that is known. */
    readonly begin: ClusterPosition | undefined,
    /** Whether the record is still to be read: the session was taken up while that could not be done. */
    public isUnread: boolean,
  ) {}

  /** Creates the part of a session that any process can take over. Returns `undefined` if there is no other process. */
  static create(
    { isShared }: Pick<Relay, 'isShared'>,
    begin: ClusterPosition | undefined,
    isUnread = false,
  ): SharedPart | undefined {
    return isShared ? new SharedPart(begin, isUnread) : undefined;
  }
}
