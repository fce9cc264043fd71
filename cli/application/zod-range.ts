/** The range to declare if zod is installed but not declared. From this version on, schemas have a JSON Schema. */
export const ZOD_RANGE = '^4.2.0';

const LOWEST = { major: 4, minor: 2 } as const;

/** The lowest version of a range. A range that begins with the highest version, or is a name, has none. */
const FIRST_VERSION = /^(?:npm:zod@)?[\^~>=v\s]*(\d+)(?:\.(\d+))?/;

/** Tells whether every version of a range has the needed features for schemas. */
export function isZodRange(range: string | undefined): boolean {
  return range !== undefined && range.split('||').every(beginsHighEnough);
}

function beginsHighEnough(range: string): boolean {
  const [, major = '', minor = '0'] = FIRST_VERSION.exec(range.trim()) ?? [];
  const isLater = Number(major) > LOWEST.major;
  return isLater || (Number(major) === LOWEST.major && Number(minor) >= LOWEST.minor);
}
