/** Gives what a session is called between processes: the nonce that its id begins with. */
export function readSessionKey(id: string): string {
  const end = id.indexOf('.');
  return end === -1 ? id : id.slice(0, end);
}
