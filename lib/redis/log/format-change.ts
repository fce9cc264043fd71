import type { ClusterRecordChange } from '../../server/settings/cluster/cluster.interface.js';

/** Formats a change for the script that makes it. */
export function formatChange({
  isWhole = false,
  set = {},
  stamp = [],
  unset = [],
  expires,
}: ClusterRecordChange): readonly string[] {
  const fields = Object.entries(set);
  return [
    ...formatEnd(expires),
    isWhole ? '1' : '0',
    `${fields.length}`,
    ...fields.flat(),
    `${stamp.length}`,
    ...stamp,
    `${unset.length}`,
    ...unset,
  ];
}

/** Formats the end of a record by the clock of this process, and the milliseconds until then. If the clock of Redis differs, the later end counts. */
export function formatEnd(expires: number): readonly [string, string] {
  const end = Math.min(Math.max(Math.ceil(expires), 0), Number.MAX_SAFE_INTEGER);
  return [`${end}`, `${Math.max(end - Date.now(), 0)}`];
}
