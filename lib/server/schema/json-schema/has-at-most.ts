/** Tells whether a JSON value has no more than the given number of members, without walking further than that. */
export function hasAtMost(value: unknown, most: number): boolean {
  const pending = [value];
  let count = 0;
  while (pending.length > 0) {
    count += 1;
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (count + pending.length + members.length > most) return false;
    pending.push(...members);
  }
  return true;
}
