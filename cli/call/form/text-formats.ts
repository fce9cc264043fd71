const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['email', (text) => /^[^\s@]+@[^\s@]+$/.test(text)],
  ['uri', (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text) && URL.canParse(text)],
  ['date', isDate],
  ['date-time', isDateTime],
]);

/** Tells whether a text has a format. An unknown format is left to the server. */
export function isOfFormat(text: string, format: string): boolean {
  return FORMATS.get(format)?.(text) ?? true;
}

function isDateTime(text: string): boolean {
  const [, date = ''] =
    /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  return isDate(date) && !Number.isNaN(Date.parse(text));
}

/** A day that the calendar has: the parser of dates takes the 31st of any month. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
