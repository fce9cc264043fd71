/** Some of the sessions of a process: which are among them depends on their keys alone, so that samples of several can be put together. */
export interface SessionSample {
  /** One session of 2 to this power is among them. */
  readonly bits: number;
  /** The beginnings of their keys, put together. */
  readonly keys: string;
}

/** What is counted together. */
export interface SampleCount {
  readonly size: number;
  /** Whether every one was counted. */
  readonly isExact: boolean;
}

/** Characters of a key that tell sessions apart: 48 bits that are left to chance. */
const LENGTH = 8;

const MOST_KEYS = 10_000;

/** Samples sessions: all of them if there are not too many to send. */
export function sampleSessions(keys: Iterable<string>): SessionSample {
  let bits = 0;
  let kept: string[] = [];
  for (const key of keys) {
    const begin = key.slice(0, LENGTH);
    if (isSampled(begin, bits)) kept.push(begin);
    while (kept.length > MOST_KEYS) {
      bits += 1;
      kept = kept.filter(select(bits));
    }
  }
  return { bits, keys: kept.join('') };
}

/** Counts the sessions of several processes, of which some know the same. */
export function countSampled(samples: readonly SessionSample[]): SampleCount {
  const bits = Math.max(0, ...samples.map((sample) => sample.bits));
  const keys = new Set(samples.flatMap((sample) => split(sample.keys)).filter(select(bits)));
  return { size: keys.size * 2 ** bits, isExact: bits === 0 };
}

function select(bits: number): (key: string) => boolean {
  return (key) => isSampled(key, bits);
}

function isSampled(key: string, bits: number): boolean {
  return bits === 0 || Buffer.from(key, 'base64url').readUIntBE(0, 6) % 2 ** bits === 0;
}

function split(keys: string): readonly string[] {
  return keys.match(/.{8}/g) ?? [];
}
