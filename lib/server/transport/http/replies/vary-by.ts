import type { ServerResponse } from 'node:http';

/** Adds a header of the request to `Vary`, because the answer depends on it (RFC 9110 §12.5.5). */
export function varyBy(response: Pick<ServerResponse, 'getHeader' | 'setHeader'>, header: string): void {
  const present = response.getHeader('Vary');
  const values = present === undefined ? [] : [present].flat().map(String);
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim().toLowerCase());
  if (names.includes('*') || names.includes(header.toLowerCase())) return;
  response.setHeader('Vary', [...values, header].join(', '));
}
