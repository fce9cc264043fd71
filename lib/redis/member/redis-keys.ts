/** The version of the format, so that formats do not share keys. */
const VERSION = 'v1';

/** The keys of one server. All begin with the prefix, and are in one slot of Redis Cluster. */
export class RedisKeys {
  readonly state: string;
  readonly log: string;
  readonly members: string;
  /** The key of messages to all processes. */
  readonly all: string;
  /** The beginning of all keys. */
  readonly base: string;

  constructor(prefix: string, server: string) {
    this.base = `${prefix}:${VERSION}:{${prefix}${encodeName(server)}}`;
    this.state = `${this.base}:state`;
    this.log = `${this.base}:log`;
    this.members = `${this.base}:members`;
    this.all = `${this.base}:inbox`;
  }

  /** The key of messages to one process. */
  inbox(member: string): string {
    return `${this.all}:${member}`;
  }

  record(key: string): string {
    return `${this.base}:record:${key}`;
  }

  /** The keys that count the records of a caller, or of all anonymous callers together if none is named. */
  quota(caller?: string): readonly string[] {
    return listQuotaKeys(`${this.base}:quota:${caller ?? 'anonymous'}`);
  }

  lease(name: string): string {
    return `${this.base}:lease:${name}`;
  }
}

/** Replaces braces too, because braces delimit the hash tag. */
function encodeName(name: string): string {
  return name.replaceAll(/[^\w./~:@-]/g, encodeURIComponent).replaceAll(/[{}]/g, '_');
}

/** Lists the keys of a quota in the order that scripts expect. */
export function listQuotaKeys(key: string): readonly string[] {
  return [key, `${key}:ends`, `${key}:sums`, `${key}:removable`, `${key}:oldest`];
}
