/** The format version, so that formats do not share keys. */
const VERSION = 'v1';

/** The keys of one server. All of them start with the prefix, and are in one Redis Cluster slot. */
export class RedisKeys {
  readonly state: string;
  readonly log: string;
  readonly members: string;
  /** The key for messages to all processes. */
  readonly all: string;
  /** The prefix of all keys. */
  readonly base: string;

  constructor(prefix: string, server: string) {
    this.base = `${prefix}:${VERSION}:{${prefix}${encodeName(server)}}`;
    this.state = `${this.base}:state`;
    this.log = `${this.base}:log`;
    this.members = `${this.base}:members`;
    this.all = `${this.base}:inbox`;
  }

  /** The key for messages to one process. */
  inbox(member: string): string {
    return `${this.all}:${member}`;
  }

  record(key: string): string {
    return `${this.base}:record:${key}`;
  }

  /** The keys that count a caller's records, or all anonymous callers' records combined if no caller is given. */
  quota(caller?: string): readonly string[] {
    return listQuotaKeys(`${this.base}:quota:${caller ?? 'anonymous'}`);
  }

  lease(name: string): string {
    return `${this.base}:lease:${name}`;
  }
}

/** Also replaces braces, because they delimit the hash tag. */
function encodeName(name: string): string {
  return name.replaceAll(/[^\w./~:@-]/g, encodeURIComponent).replaceAll(/[{}]/g, '_');
}

/** Lists a quota's keys in the order that scripts expect. */
export function listQuotaKeys(key: string): readonly string[] {
  return [key, `${key}:ends`, `${key}:sums`, `${key}:removable`, `${key}:oldest`];
}
