import { createHash } from 'node:crypto';

/** A program that Redis runs as one step. It touches the keys that it is given, and no others. */
export class RedisScript {
  /** The digest by which Redis knows a script that it has run before. */
  readonly hash: string;

  constructor(readonly text: string) {
    this.hash = createHash('sha1').update(text).digest('hex');
  }
}
