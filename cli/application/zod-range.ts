/** The range to declare if zod is installed but not declared. Since this version, schemas convert to JSON Schema. */
export const ZOD_RANGE = '^4.2.0';

const LOWEST = { major: 4, minor: 2 } as const;

/** Matches a range's lowest version. It does not match upper bounds or tags. */
const FIRST_VERSION = /^(?:npm:zod@)?[\^~>=v\s]*(\d+)(?:\.(\d+))?/;

/** Checks whether schemas of every version in a range convert to JSON Schema. */
export function isZodRange(range: string | undefined): boolean {
  return range !== undefined && range.split('||').every(beginsHighEnough);
}

function beginsHighEnough(range: string): boolean {
  const [, major = '', minor = '0'] = FIRST_VERSION.exec(range.trim()) ?? [];
  const isLater = Number(major) > LOWEST.major;
  return isLater || (Number(major) === LOWEST.major && Number(minor) >= LOWEST.minor);
}
