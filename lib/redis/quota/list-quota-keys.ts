/** Lists the keys of a quota in the order in which scripts take them. */
export function listQuotaKeys(key: string): readonly string[] {
  return [key, `${key}:ends`, `${key}:sums`, `${key}:removable`, `${key}:oldest`];
}
