/** The scopes that the desk knows. */
export const DESK_SCOPES: readonly string[] = [
  'desk:read',
  'desk:write',
  ...['blue-kettle-cafe', 'ironbridge-cycles', 'tidewater-clinic'].map(
    (customer) => `customer:${customer}:read`,
  ),
];

/** The authorization server's own scope, by which clients ask for refresh tokens. */
export const OFFLINE_ACCESS = 'offline_access';

/** How the consent page says what a scope allows; of others it shows the name alone. */
export const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['desk:read', 'read the tickets'],
  ['desk:write', 'open and close tickets in your name'],
  [OFFLINE_ACCESS, 'do so while you are away, until you withdraw it'],
]);

/** Selects what is known of the scopes that somebody asks for. */
export function selectScopes(asked: unknown, known: readonly string[]): string[] {
  const scopes = typeof asked === 'string' ? asked.split(' ') : [];
  return scopes.filter((scope) => scope === OFFLINE_ACCESS || known.includes(scope));
}
