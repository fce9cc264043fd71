/** Returns the name of a host without its port; an IPv6 address stays in brackets. */
export function parseHost(host: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\s]+)(?::\d{1,5})?$/i.exec(host);
  return match?.[1]?.toLowerCase();
}
