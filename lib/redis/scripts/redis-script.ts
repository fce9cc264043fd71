import { createHash } from 'node:crypto';

/** A script that Redis runs as one step. It uses the given keys, and no others. */
export class RedisScript {
  /** The digest by which Redis finds a script that it has run before. */
  readonly hash: string;

  constructor(readonly text: string) {
    this.hash = createHash('sha1').update(text).digest('hex');
  }
}
