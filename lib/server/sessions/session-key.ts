/** Returns the name of a session between processes: the nonce at the beginning of its id. */
export function readSessionKey(id: string): string {
  const end = id.indexOf('.');
  return end === -1 ? id : id.slice(0, end);
}
