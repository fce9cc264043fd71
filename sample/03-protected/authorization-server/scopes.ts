/** What a client can ask for, and how the consent page says it. */
export const SCOPES: Readonly<Record<string, string>> = {
  'desk:read': 'read the tickets',
  'desk:write': 'open and close tickets in your name',
  offline_access: 'do so while you are away, until you withdraw it',
};

/** The scopes that the desk itself knows; `offline_access` is the authorization server's own. */
export const DESK_SCOPES = 'desk:read desk:write';

/** Selects what is known of the scopes that somebody asks for. */
export function selectScopes(asked: unknown): string[] {
  const scopes = typeof asked === 'string' ? asked.split(' ') : [];
  return scopes.filter((scope) => Object.hasOwn(SCOPES, scope));
}
