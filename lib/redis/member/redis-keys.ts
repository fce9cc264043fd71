/** Keys and messages of another version are another server's. */
const VERSION = 'v1';

/** The keys of one server: all begin with the prefix, and are in one slot of Redis Cluster. */
export class RedisKeys {
  readonly state: string;
  readonly log: string;
  readonly members: string;
  /** Where messages to all processes are. */
  readonly all: string;
  /** What all keys of the server begin with. */
  readonly base: string;

  constructor(prefix: string, server: string) {
    this.base = `${prefix}:${VERSION}:{${prefix}${encodeName(server)}}`;
    this.state = `${this.base}:state`;
    this.log = `${this.base}:log`;
    this.members = `${this.base}:members`;
    this.all = `${this.base}:inbox`;
  }

  /** Where messages to one process are. */
  inbox(member: string): string {
    return `${this.all}:${member}`;
  }

  record(key: string): string {
    return `${this.base}:record:${key}`;
  }

  lease(name: string): string {
    return `${this.base}:lease:${name}`;
  }
}

/** Braces would end what names the slot. */
function encodeName(name: string): string {
  return name.replaceAll(/[^\w./~:@-]/g, encodeURIComponent).replaceAll(/[{}]/g, '_');
}
