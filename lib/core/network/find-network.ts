/** One customer of an access provider commonly has as much of an IPv6 address for itself (RFC 6177). */
const GROUPS = 4;

/** Names the network that somebody calls from: an IPv4 address, or the first half of an IPv6 one. */
export function findNetwork(address: string): string {
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const hidden = tail === undefined ? 0 : Math.max(8 - first.length - last.length, 0);
  const groups = [...first, ...Array.from({ length: hidden }, () => '0'), ...last];
  return `${groups.slice(0, GROUPS).join(':')}::`;
}
